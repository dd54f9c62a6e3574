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

/** The unfinished responses of the whole service. */
export interface Backlog {
  queued: number;
  /** Age in seconds of the oldest queued response; 0 if there is none. */
  oldestQueued: number;
  /** The same, queued or running. A growing age indicates trouble. */
  oldestUnfinished: number;
}

export async function readBacklog(database: PrismaClient): Promise<Backlog> {
  const [row] = await database.$queryRaw<Backlog[]>`
    SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued,
      coalesce(extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE status = 'queued')), 0)::float8 AS "oldestQueued",
      coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS "oldestUnfinished"
    FROM response WHERE status IN ('queued', 'running')`;
  return row ?? { queued: 0, oldestQueued: 0, oldestUnfinished: 0 };
}
