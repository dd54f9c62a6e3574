import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { ClaimedResponse } from './claimed-response.js';

/** Another call of the model, after one that failed. */
export interface RetryNote {
  /** The number of the coming call, of at most so many. */
  call: number;
  maxCalls: number;
  /** Whether viewers have seen text of the call that failed. */
  wasSeen: boolean;
  /** Why the last call failed: its code, and a sentence for people. */
  code: string;
  message: string;
}

/** As it is stored. A note of an earlier epoch is out of date, but for its count. */
export interface StoredRetryNote extends RetryNote {
  epoch: number;
  /** Calls of the model for this response, with the coming one, so that a worker that reclaims it knows what is left. */
  spent: number;
}

/**
 * Tells the viewers on all nodes that the model is called once more. It is no transition: the response stays `running`,
 * and only its own row is changed, under its epoch, so the statement may be repeated.
 */
export async function noteRetry(
  database: PrismaClient,
  run: ClaimedResponse,
  retry: Omit<StoredRetryNote, 'epoch'>,
): Promise<void> {
  const note: StoredRetryNote = { ...retry, epoch: run.epoch };
  await database.$queryRaw`
    UPDATE response r SET retry = ${JSON.stringify(note)}::jsonb
    WHERE r.message_id = ${run.messageId} AND r.status = 'running' AND r.epoch = ${run.epoch}
    RETURNING wake('response_changed', r.message_id)::text AS notified`;
}
