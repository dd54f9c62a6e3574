/**
 * Reads a page of messages with their contents by one statement of our own, where an operation selects nothing of them
 * but what is here. Contents that are not small are left to `page-contents.ts`, which waits for room before it loads
 * them: what PostgreSQL stores of a page is compared before anything is unpacked, and what it unpacks before it is sent.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { NotFoundError } from '../../errors.js';
import type { LoadContext } from '../batches.js';
import { visibleToSql, type Who } from '../threads/visibility.js';
import { type WholeRow, whole } from '../whole-row.js';
import type { ContentBlock } from './content.js';
import { type Bounds, type PageArguments, pageQuery } from './message-page.js';

/** Maximum bytes of the contents of a page as they are stored, which may be compressed. */
const storedBytes = 256 * 1024;

export interface WholeMessage extends WholeRow {
  id: string;
  threadId: string;
  sequence: number;
  role: 'user' | 'assistant' | 'summary';
  replyToId: string | null;
  active: boolean;
  createdAt: Date;
  contents?: ContentBlock[];
}

/** What `contentsSql` returns. */
export type ContentsRow = Omit<WholeMessage, 'contents' | keyof WholeRow> & { body: string | null; bytes: number };

export interface MessagePage {
  threadId: string;
  /** For whom to check as well that the thread exists and is visible; undefined if that was checked. */
  checkedFor?: Who | undefined;
  bounds: Bounds;
  args: PageArguments;
}

/** Up to one message more than the page has, without contents. */
export async function readMessages(database: PrismaClient, page: MessagePage): Promise<WholeMessage[]> {
  const rows = await database.$queryRaw<
    Omit<WholeMessage, keyof WholeRow>[]
  >`SELECT ${named} FROM (${pageOf(page)}) page`;
  return rows.map(whole);
}

/**
 * The same with contents; null if they are too large to be loaded at once. Throws a `NotFoundError` if the viewer may not see
 * the thread.
 */
export async function readWithContents(
  { database, answer }: LoadContext,
  page: MessagePage,
): Promise<WholeMessage[] | null> {
  const rows = await readRows(database, page, answer.loadable);
  const shown = rows.slice(0, pageQuery(page.bounds, page.args).take - 1);
  if (shown.some(({ body }) => body === null)) return null;
  answer.load(shown.reduce((sum, { bytes }) => sum + bytes, 0));
  return rows.map(messageOf);
}

async function readRows(database: PrismaClient, page: MessagePage, loadable: number): Promise<ContentsRow[]> {
  const rows = await database.$queryRaw<(ContentsRow | { id: null })[]>(withContentsSql(page, loadable));
  if (page.checkedFor && rows.length === 0) throw new NotFoundError('thread');
  return rows.filter((row): row is ContentsRow => row.id !== null);
}

/** A literal, for the reason that `threadOf` has. */
export function messageOf(row: ContentsRow): WholeMessage {
  const message: WholeMessage = whole({
    id: row.id,
    threadId: row.threadId,
    sequence: row.sequence,
    role: row.role,
    replyToId: row.replyToId,
    active: row.active,
    createdAt: row.createdAt,
  });
  if (row.body !== null) message.contents = JSON.parse(row.body) as ContentBlock[];
  return message;
}

/** Exported so that a test can check its plan. The message after the page is read without its contents. */
export function withContentsSql(page: MessagePage, loadable: number): Prisma.Sql {
  const { threadId, checkedFor } = page;
  const messages = { shown: pageQuery(page.bounds, page.args).take - 1, loadable };
  if (!checkedFor) return contentsSql(pageOf(page), messages);
  // One row without a message if the thread has none there.
  return Prisma.sql`
    SELECT message.* FROM thread t LEFT JOIN LATERAL (
      ${contentsSql(pageOf(page), { ...messages, isJoined: true })}) message ON true
    WHERE t.id = ${threadId} AND ${visibleToSql(checkedFor)} ORDER BY message.place`;
}

/**
 * The rows of `page`, which are messages, with the contents of all or the first `shown` where they may be loaded at once.
 * They are in its order, unless the statement joins them and sorts by their `place` itself.
 */
export function contentsSql(
  page: Prisma.Sql,
  { shown, loadable, isJoined = false }: { shown?: number; loadable: number; isJoined?: boolean },
): Prisma.Sql {
  return Prisma.sql`
    SELECT ${named}, CASE WHEN sum(octet_length(body)) OVER () <= ${loadable} THEN body END AS body,
      coalesce(octet_length(body), 0) AS bytes, place
    FROM (
      SELECT page.*, CASE WHEN stored <= ${storedBytes} AND place <= coalesce(${shown ?? null}::int, place) THEN contents::text END AS body
      FROM (
        SELECT page.*, sum(pg_column_size(contents)) OVER () AS stored, row_number() OVER () AS place
        FROM (${page}) page) page) page
    ${isJoined ? Prisma.empty : Prisma.sql`ORDER BY place`}`;
}

const named = Prisma.sql`id, thread_id AS "threadId", sequence, role::text AS role, reply_to_id AS "replyToId", active,
  created_at AS "createdAt"`;

/** One range of the index by sequence number, in the order of the page. */
function pageOf({ threadId, bounds, args }: MessagePage): Prisma.Sql {
  const { orderBy, take } = pageQuery(bounds, args);
  return Prisma.sql`
    SELECT * FROM message WHERE thread_id = ${threadId} AND sequence > ${bounds.after} AND sequence < ${bounds.before}
      AND ${args.includeInactive ? Prisma.sql`hidden_with_id IS NULL` : Prisma.sql`active`}
    ORDER BY sequence ${orderBy.sequence === 'desc' ? Prisma.sql`DESC` : Prisma.sql`ASC`} LIMIT ${take}`;
}
