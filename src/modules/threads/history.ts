/**
 * The history of a thread: each change of its responses with its time, cause, node and attempt. The database records
 * it.
 */
import type { PrismaClient, ThreadEvent } from '../../../prisma/generated/client/client.js';

export type HistoryEvent = ThreadEvent;

export const keptEvents = 200;

/** The events of a thread, oldest first; the newest 200 are kept. */
export function readHistory(database: PrismaClient, threadId: string): Promise<HistoryEvent[]> {
  return database.threadEvent.findMany({ where: { threadId }, orderBy: { id: 'asc' }, take: keptEvents + 1 });
}

/** Age in seconds of the oldest queued or running response; 0 if there is none. A growing age indicates trouble. */
export async function oldestUnfinishedSeconds(database: PrismaClient): Promise<number> {
  const [row] = await database.$queryRaw<{ age: number }[]>`
    SELECT coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS age
    FROM response WHERE status IN ('queued', 'running')`;
  return row?.age ?? 0;
}
