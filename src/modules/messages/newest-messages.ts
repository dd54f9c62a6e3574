/**
 * Reads the newest messages of a thread up to a number of bytes, backwards in pages, so that a huge thread is never
 * read or held as a whole.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import type { ContentBlock } from './content.js';

/** A message that no summary has replaced. */
export interface ActiveMessage {
  sequence: number;
  role: 'user' | 'assistant' | 'summary';
  contents: ContentBlock[];
}

export interface NewestOptions {
  threadId: string;
  /** Maximum bytes of JSON. The message that reaches it is the last; at least one is read. */
  bytes: number;
  /** Maximum number; without it, unlimited. */
  count?: number;
}

/** What the model is told of a thread. */
export interface NewestConversation {
  messages: ActiveMessage[];
  /** What the thread's owner wants the model to heed; null if nothing, or if the thread has no active message. */
  instructions: string | null;
}

interface Row extends ActiveMessage {
  bytes: number;
  /** Those of the thread, in the row of the newest message. */
  instructions: string | null;
}

/** Messages per statement. */
const pageLength = 100;

/** After all sequence numbers. */
const end = 2 ** 31 - 1;

/** The active messages, oldest first. */
export async function readNewest(database: PrismaClient, options: NewestOptions): Promise<ActiveMessage[]> {
  return (await readNewestConversation(database, options)).messages;
}

/** The same with the thread's instructions, which come with the first page: each response reads both. */
export async function readNewestConversation(
  database: PrismaClient,
  { threadId, bytes, count = Number.POSITIVE_INFINITY }: NewestOptions,
): Promise<NewestConversation> {
  const read: ActiveMessage[] = [];
  let instructions: string | null = null;
  for (let left = bytes; left > 0 && read.length < count; ) {
    const before = read.at(-1)?.sequence ?? end;
    const take = Math.min(pageLength, count - read.length);
    const page = await database.$queryRaw<Row[]>`
      ${pageSql({ threadId, before, take, left })} ORDER BY sequence DESC`;
    if (read.length === 0) instructions = page[0]?.instructions ?? null;
    read.push(...page.map(({ sequence, role, contents }) => ({ sequence, role, contents })));
    left -= page.reduce((sum, row) => sum + row.bytes, 0);
    if (page.length < take) break;
  }
  return { messages: read.reverse(), instructions };
}

interface Page {
  threadId: string;
  before: number;
  take: number;
  left: number;
}

/**
 * All active messages as one JSON value, for a statement that goes on with the thread; null if they are more than a page, or
 * more than `bytes`.
 */
export function wholeSql({ threadId, bytes }: NewestOptions): Prisma.Sql {
  const page = pageSql({ threadId, before: end, take: pageLength, left: bytes });
  return Prisma.sql`
    SELECT CASE WHEN count(*) < ${pageLength} AND coalesce(sum(bytes), 0) < ${bytes} THEN coalesce(json_agg(
      json_build_object('sequence', sequence, 'role', role, 'contents', contents) ORDER BY sequence), '[]') END
    FROM (${page}) newest`;
}

function pageSql({ threadId, before, take, left }: Page): Prisma.Sql {
  return Prisma.sql`
    SELECT sequence, role::text AS role, contents, bytes::int,
      CASE WHEN total = bytes THEN (SELECT instructions FROM thread WHERE id = ${threadId}) END AS instructions
    FROM (
      SELECT sequence, role, contents, bytes, sum(bytes) OVER (ORDER BY sequence DESC) AS total
      FROM (
        SELECT sequence, role, contents, octet_length(contents::text) AS bytes FROM message
        WHERE thread_id = ${threadId} AND active AND sequence < ${before} ORDER BY sequence DESC LIMIT ${take}) page) sized
    WHERE total - bytes < ${left}`;
}
