/**
 * The end of a run, in one statement under its epoch: the thread leaves `active`, the assistant's message is stored, and the
 * response is final. Because the epoch is in the condition, the statement may be repeated after a lost connection.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import type { ContentBlock } from '../messages/content.js';
import { nowAfter } from '../threads/clock.js';
import type { Run } from './protocol.js';

/** How a run ended. Only `succeeded` leads the thread back to `ready`. */
export type Outcome =
  | { status: 'succeeded' }
  | { status: 'failed'; errorCode: string; errorMessage: string }
  /** Somebody asked to stop; the reason stands in the row. */
  | { status: 'interrupted' };

const stateAfter = { succeeded: 'ready', failed: 'error', interrupted: 'interrupted' } as const;

export interface Settlement {
  run: Run;
  outcome: Outcome;
  /** The assistant's message. After a failure what was said so far, so that it stays readable; may then be null. */
  answer: { id: string; contents: ContentBlock[] } | null;
  usage: { model: string; inputTokens: number | null; outputTokens: number | null };
}

/** True where the outcome is stored, now or by an earlier try; false where the run is no longer the caller's. */
export async function settle(database: PrismaClient, settlement: Settlement): Promise<boolean> {
  const { run, outcome, answer, usage } = settlement;
  const failure = outcome.status === 'failed' ? outcome : null;
  const settled = await database.$queryRaw<unknown[]>`
    WITH thread AS (
      UPDATE thread t SET state = ${stateAfter[outcome.status]}::thread_state, updated_at = ${nowAfter(Prisma.sql`t.updated_at`)},
        last_sequence = t.last_sequence + ${answer ? 2 : 0},
        interrupt_reason = ${outcome.status === 'interrupted' ? stopReason(run) : Prisma.sql`NULL`}
      WHERE t.id = ${run.threadId} AND t.state = 'active' AND t.epoch = ${run.epoch}
      RETURNING t.id, t.last_sequence, t.updated_at),
    message AS (${answer ? answerSql(run, answer) : Prisma.sql`SELECT 1`}),
    response AS (
      UPDATE response r SET status = ${outcome.status}::response_status, lease_until = NULL, finished_at = clock_timestamp(),
        error_code = ${outcome.status === 'interrupted' ? 'response_interrupted' : (failure?.errorCode ?? null)},
        error_message = coalesce(${failure?.errorMessage ?? null}, r.stop_reason), model = ${usage.model},
        input_tokens = ${usage.inputTokens}::int, output_tokens = ${usage.outputTokens}::int
      FROM thread WHERE r.message_id = ${run.messageId} AND r.epoch = ${run.epoch})
    SELECT id, pg_notify('response_changed', ${run.messageId})::text FROM thread`;
  return settled.length > 0 || (await isSettledBy(database, settlement));
}

function stopReason(run: Run): Prisma.Sql {
  return Prisma.sql`(SELECT stop_reason FROM response WHERE message_id = ${run.messageId})`;
}

function answerSql(run: Run, answer: { id: string; contents: ContentBlock[] }): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO message (id, thread_id, sequence, role, contents, reply_to_id, position, created_at)
    SELECT ${answer.id}, id, last_sequence, 'assistant', ${JSON.stringify(answer.contents)}::jsonb, ${run.messageId}, 0, updated_at
    FROM thread`;
}

/** The same outcome under the same epoch: somebody who ended the response without its worker left another one. */
async function isSettledBy(database: PrismaClient, { run, outcome }: Settlement): Promise<boolean> {
  const response = await database.response.findUnique({
    where: { messageId: run.messageId },
    select: { status: true, epoch: true },
  });
  return response?.status === outcome.status && Number(response.epoch) === run.epoch;
}
