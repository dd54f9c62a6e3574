/**
 * Reads a page with its threads by one statement, where an operation selects nothing of them but their columns and their
 * owners, as REST's list does. Whatever else it selects, Prisma loads by a statement of its own.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { type Thread, threadColumns } from '../schema.js';
import { cursorsOf, type ListThreadsOptions, orderOf, type PageRow, pageColumns, pageOf } from './list-threads.js';
import type { PlacedThread } from './load-page.js';

type ListedThread = typeof Thread.$inferType & { owner: { id: string; name: string | null } };

const ownerColumns = ['id', 'name'];

/** Whether the selection, in the form of Prisma, can be read by `readListedThreads`. */
export function isListed(select: object): boolean {
  return Object.entries(select).every(([name, selected]) =>
    name === 'owner' ? isOfOwner(selected) : name in threadColumns && selected === true,
  );
}

function isOfOwner(selected: unknown): boolean {
  const { select, ...rest } = selected as { select?: object };
  const names = Object.entries(select ?? {});
  return (
    Object.keys(rest).length === 0 && names.every(([name, chosen]) => ownerColumns.includes(name) && chosen === true)
  );
}

interface ListedRow extends PageRow, Omit<ListedThread, 'owner'> {
  ownerId: string;
  ownerName: string | null;
}

/** Returns up to `limit + 1` threads, in order. */
export async function readListedThreads(
  database: PrismaClient,
  options: ListThreadsOptions,
): Promise<PlacedThread<ListedThread>[]> {
  const rows = await database.$queryRaw<ListedRow[]>(listedSql(options));
  const cursors = cursorsOf(options, rows);
  // Copied whole, with what is not of the thread: leaving that out takes longer than all else here.
  return rows.flatMap((row, index) => {
    const cursor = cursors[index];
    return cursor ? [{ cursor, thread: { ...row, owner: { id: row.ownerId, name: row.ownerName } } }] : [];
  });
}

/** The statement that reads the page. Exported so that a test can check its plan. */
export function listedSql(options: ListThreadsOptions): Prisma.Sql {
  const columns = Prisma.sql`, t.name, t.state, t.interrupt_reason, t.is_private, t.archived, t.created_at, t.updated_at, t.owner_id`;
  // A subquery and not a join, so that the owners of a page are never found by reading all users.
  return Prisma.sql`
    SELECT ${pageColumns}, page.name, page.state::text AS state, page.interrupt_reason AS "interruptReason",
      page.is_private AS "isPrivate", page.archived, page.created_at AS "createdAt", page.updated_at AS "updatedAt",
      page.owner_id AS "ownerId", (SELECT u.name FROM user_account u WHERE u.id = page.owner_id) AS "ownerName"
    FROM (${pageOf(options, { columns })}) page ORDER BY ${orderOf(options.order)}`;
}
