/**
 * Ends a run by its worker, in one statement under its epoch: the thread leaves `active`, the assistant message is
 * stored, and the response is final. Because the epoch is a condition, the statement may be repeated after a lost
 * connection.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { ContentBlock } from '../../messages/content.js';
import type { ClaimedResponse } from './claimed-response.js';
import { endSql } from './end-response.js';

/** How a run ended. Only `succeeded` leads the thread back to `ready`. */
export type Outcome =
  | { status: 'succeeded' }
  /** Stored as `interrupted` if a stop was requested, since the thread must then not end in `error`. */
  | { status: 'failed'; errorCode: string; errorMessage: string }
  /** A stop was requested; the reason is in the row. */
  | { status: 'interrupted' };

export interface StoredAnswer {
  id: string;
  contents: ContentBlock[];
  /** What the model thought before it. */
  reasoning?: string | null;
}

export interface Settlement {
  run: ClaimedResponse;
  outcome: Outcome;
  /** The assistant message; after a failure, the text so far, if any. */
  answer: StoredAnswer | null;
  usage: {
    model: string;
    inputTokens: number | null;
    outputTokens: number | null;
    /** Whether the model reached the maximum length of its answer. */
    isTruncated?: boolean;
    /** Time since the model first said something; null if it said nothing. */
    msSinceFirstToken?: number | null;
  };
}

export interface Settled {
  /** Whether the outcome is stored, now or by an earlier try; false if the run is no longer the caller's. */
  isStored: boolean;
  /** Whether the thread has no name. False after an earlier try, of which nothing more is known. */
  isUnnamed: boolean;
}

/** Stores the outcome. */
export async function settle(database: PrismaClient, settlement: Settlement): Promise<Settled> {
  const { run, outcome, answer, usage } = settlement;
  const columns = Prisma.sql`, model = ${usage.model}, input_tokens = ${usage.inputTokens}::int, output_tokens = ${usage.outputTokens}::int, is_truncated = ${usage.isTruncated ?? false},
    first_token_at = clock_timestamp() - ${usage.msSinceFirstToken ?? null}::float8 * interval '1 millisecond'`;
  const [settled] = await database.$queryRaw<{ isUnnamed: boolean }[]>`
    WITH ending AS (
      SELECT t.id AS thread_id, r.message_id, ${endingSql(outcome)}
      FROM thread t JOIN response r ON r.thread_id = t.id
      WHERE t.id = ${run.threadId} AND t.state = 'active' AND t.epoch = ${run.epoch}
        AND r.message_id = ${run.messageId} AND r.status = 'running' AND r.epoch = t.epoch
      FOR UPDATE OF t, r),
    ${endSql({ fences: false, hasAnswer: answer !== null, columns })},
    message AS (${answer ? answerSql(answer) : Prisma.sql`SELECT 1`}),
    reasoning AS (${answer?.reasoning ? reasoningSql(answer.reasoning) : Prisma.sql`SELECT 1`})
    SELECT message_id, notified, (SELECT is_unnamed FROM ended_thread) AS "isUnnamed" FROM ended_response`;
  if (settled) return { isStored: true, isUnnamed: settled.isUnnamed };
  return { isStored: await isSettledBy(database, settlement), isUnnamed: false };
}

/** The columns status, error_code and error_message of `ending`. */
function endingSql(outcome: Outcome): Prisma.Sql {
  switch (outcome.status) {
    case 'succeeded':
      return Prisma.sql`'succeeded'::response_status AS status, NULL::text AS error_code, NULL::text AS error_message`;
    case 'interrupted':
      return Prisma.sql`'interrupted'::response_status AS status, NULL::text AS error_code, r.stop_reason AS error_message`;
    case 'failed':
      return Prisma.sql`
        CASE WHEN r.stop_reason IS NULL THEN 'failed' ELSE 'interrupted' END::response_status AS status,
        ${outcome.errorCode} AS error_code, coalesce(r.stop_reason, ${outcome.errorMessage}) AS error_message`;
  }
}

function answerSql(answer: StoredAnswer): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO message (id, thread_id, sequence, role, contents, reply_to_id, position, created_at)
    SELECT ${answer.id}, id, last_sequence, 'assistant', ${JSON.stringify(answer.contents)}::jsonb, message_id, 0, updated_at
    FROM ended_thread RETURNING id`;
}

function reasoningSql(text: string): Prisma.Sql {
  return Prisma.sql`INSERT INTO message_reasoning (message_id, text) SELECT id, ${text} FROM message`;
}

/** The same outcome under the same epoch: whoever ends a response without its worker moves the epoch. */
async function isSettledBy(database: PrismaClient, { run, outcome }: Settlement): Promise<boolean> {
  const response = await database.response.findUnique({
    where: { messageId: run.messageId },
    select: { status: true, epoch: true },
  });
  if (!response || Number(response.epoch) !== run.epoch) return false;
  return response.status === outcome.status || (outcome.status === 'failed' && response.status === 'interrupted');
}
