/**
 * What a run has left in the bookkeeping: responses that took long to end, so that a viewer who gave up is explained by its run,
 * and how long the responses of a lost worker waited for another one.
 */
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import type { Loss } from './faults.js';

/** One line a response that took longer than the seconds, the moments by their minutes and seconds. */
export async function slowResponses(database: PrismaClient, seconds: number): Promise<string[]> {
  const slow = await database.$queryRaw<{ line: string }[]>`
    SELECT message_id || ': ' || string_agg(
      concat_ws(' ', to_char(at, 'MI:SS.MS'), what, coalesce(worker_id, ''), cause), ', ' ORDER BY id) AS line
    FROM thread_event WHERE message_id IS NOT NULL
    GROUP BY message_id HAVING max(at) - min(at) > ${seconds} * interval '1 second'`;
  return slow.map(({ line }) => line);
}

/** Milliseconds from each loss to each takeover of what that worker ran, the shortest first. */
export async function takeoverTimes(database: PrismaClient, losses: readonly Loss[]): Promise<number[]> {
  const takeovers = await database.$queryRaw<{ at: Date; since: Date; workerId: string }[]>`
    SELECT e.at, before.at AS since, before.worker_id AS "workerId" FROM thread_event e
    CROSS JOIN LATERAL (
      SELECT b.at, b.worker_id FROM thread_event b
      WHERE b.message_id = e.message_id AND b.id < e.id AND b.what IN ('started', 'taken_over', 'restarted')
      ORDER BY b.id DESC LIMIT 1) before
    WHERE e.what = 'taken_over'`;
  const times = takeovers.flatMap(({ at, since, workerId }) => {
    const loss = losses.find((one) => workerId.includes(`-${one.pid}-`) && one.at >= since && one.at <= at);
    return loss ? [at.getTime() - loss.at.getTime()] : [];
  });
  return times.sort((one, other) => one - other);
}
