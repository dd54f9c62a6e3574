/** Responses that took long to end, with what happened to each and when, so that a viewer who gave up is explained by its run. */
import type { PrismaClient } from '../../prisma/generated/client/client.js';

/** One line a response that took longer than the seconds, the moments by their minutes and seconds. */
export async function slowResponses(database: PrismaClient, seconds: number): Promise<string[]> {
  const slow = await database.$queryRaw<{ line: string }[]>`
    SELECT message_id || ': ' || string_agg(
      concat_ws(' ', to_char(at, 'MI:SS.MS'), what, coalesce(worker_id, ''), cause), ', ' ORDER BY id) AS line
    FROM thread_event WHERE message_id IS NOT NULL
    GROUP BY message_id HAVING max(at) - min(at) > ${seconds} * interval '1 second'`;
  return slow.map(({ line }) => line);
}
