/**
 * Reads the newest messages of a thread up to a number of bytes, backwards in pages, so that a huge thread is never
 * read or held as a whole.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
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
    const before = read.at(-1)?.sequence ?? 2 ** 31 - 1;
    const take = Math.min(pageLength, count - read.length);
    const page = await readPage(database, { threadId, before, take, left });
    if (read.length === 0) instructions = page[0]?.instructions ?? null;
    read.push(...page.map(({ sequence, role, contents }) => ({ sequence, role, contents })));
    left -= page.reduce((sum, row) => sum + row.bytes, 0);
    if (page.length < take) break;
  }
  return { messages: read.reverse(), instructions };
}

function readPage(
  database: PrismaClient,
  { threadId, before, take, left }: { threadId: string; before: number; take: number; left: number },
): Promise<Row[]> {
  return database.$queryRaw<Row[]>`
    SELECT sequence, role::text AS role, contents, bytes::int,
      CASE WHEN total = bytes THEN (SELECT instructions FROM thread WHERE id = ${threadId}) END AS instructions
    FROM (
      SELECT sequence, role, contents, bytes, sum(bytes) OVER (ORDER BY sequence DESC) AS total
      FROM (
        SELECT sequence, role, contents, octet_length(contents::text) AS bytes FROM message
        WHERE thread_id = ${threadId} AND active AND sequence < ${before} ORDER BY sequence DESC LIMIT ${take}) page) sized
    WHERE total - bytes < ${left}
    ORDER BY sequence DESC`;
}
