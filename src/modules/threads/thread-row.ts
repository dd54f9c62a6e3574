/**
 * A thread as one statement of our own reads it: its columns and its owner, which is what REST and most lists show.
 * Prisma takes several times as long for the same row, so it loads threads only where an operation selects more.
 */
import { Prisma, type Thread } from '../../../prisma/generated/client/client.js';
import { isMessageRow } from '../message-row.js';
import { whole } from '../whole-row.js';

/** Loaded with each thread: for every field that selects its column itself, Pothos looks up for each row whether it did. */
export const threadColumns = {
  id: true,
  name: true,
  generatedName: true,
  opening: true,
  state: true,
  interruptReason: true,
  isPrivate: true,
  archived: true,
  branchVersion: true,
  createdAt: true,
  updatedAt: true,
} as const;

interface Owner {
  id: string;
  name: string | null;
}

export type ThreadRow = Pick<Thread, keyof typeof threadColumns> & { owner: Owner };

/** What a statement returns that selects `rowColumns`. */
export interface RawThreadRow extends Omit<ThreadRow, 'owner'> {
  ownerId: string;
  ownerName: string | null;
}

/** What a row needs, beside its id, to have `rowColumns`; the thread is `t`. */
export const rowSources = Prisma.sql`t.name, t.generated_name, t.opening, t.state, t.interrupt_reason, t.is_private, t.archived, t.branch_version, t.created_at, t.updated_at, t.owner_id`;

/** The columns of a thread, which must be the row `page`, with `rowOwner` joined to it. */
export const rowColumns = Prisma.sql`page.id, page.name, page.generated_name AS "generatedName", page.opening, page.state::text AS state, page.interrupt_reason AS "interruptReason",
  page.is_private AS "isPrivate", page.archived, page.branch_version AS "branchVersion", page.created_at AS "createdAt", page.updated_at AS "updatedAt",
  page.owner_id AS "ownerId", owner.name AS "ownerName"`;

/** The owner of `page`. With an offset it cannot become a join of another kind, which could read all users. */
export const rowOwner = Prisma.sql`LEFT JOIN LATERAL (SELECT u.name FROM user_account u WHERE u.id = page.owner_id OFFSET 0) owner ON true`;

/** A literal, because the rows of the driver, and copies of them, survive collections of garbage. */
export function threadOf(row: RawThreadRow): ThreadRow {
  return whole({
    id: row.id,
    name: row.name,
    generatedName: row.generatedName,
    opening: row.opening,
    state: row.state,
    interruptReason: row.interruptReason,
    isPrivate: row.isPrivate,
    archived: row.archived,
    branchVersion: row.branchVersion,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    owner: { id: row.ownerId, name: row.ownerName },
  });
}

const ownerColumns = ['id', 'name'];

/** Whether a selection, in the form of Prisma, has nothing but what `rowColumns` selects. */
export function isThreadRow(select: object): boolean {
  return Object.entries(select).every(([name, selected]) =>
    name === 'owner' ? isOwner(selected) : name in threadColumns && selected === true,
  );
}

/** The same, besides messages of which only what `isMessageRow` allows is selected: they are read with their contents. */
export function isThreadWithMessages(selection: object): boolean {
  const { messages, ...rest } = selection as { messages?: { select?: object } };
  const { select = {} } = messages ?? {};
  return isThreadRow(rest) && isMessageRow(select);
}

function isOwner(selected: unknown): boolean {
  const { select, ...rest } = selected as { select?: object };
  const names = Object.entries(select ?? {});
  return (
    Object.keys(rest).length === 0 && names.every(([name, chosen]) => ownerColumns.includes(name) && chosen === true)
  );
}
