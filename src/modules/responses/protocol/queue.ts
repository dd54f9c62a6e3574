/** Queues a message: its thread becomes `waiting`, and its response can be claimed. */
import { Prisma } from '../../../../prisma/generated/client/client.js';
import type { ThreadStateName } from '../../../contract.js';
import { monotonicNow } from '../../threads/clock.js';
import type { Payer } from '../../usage/budgets/budget.js';

/** A change of a thread at rest. */
export interface Change {
  /** The states in which it may be made. */
  from: readonly ThreadStateName[];
  condition: Prisma.Sql;
  columns?: Prisma.Sql;
}

/**
 * The update of an existing thread that accepts a message. `condition` is a further condition in SQL, in which the thread has
 * the alias `t`; `columns` are further columns to set, each preceded by a comma. The thread's row alone decides: an idle thread has
 * no live response to lock.
 */
export function waitSql(threadId: string, { from, condition, columns = Prisma.empty }: Change): Prisma.Sql {
  return Prisma.sql`
      UPDATE thread t SET state = 'waiting', queued_at = clock_timestamp(), interrupt_reason = NULL, last_sequence = t.last_sequence + 2,
        updated_at = ${monotonicNow(Prisma.sql`t.updated_at`)} ${columns}
      WHERE t.id = ${threadId} AND t.state = ANY(${from}::thread_state[]) AND ${condition}
      RETURNING t.id, t.last_sequence, t.updated_at, t.model`;
}

interface QueuedResponse {
  messageId: string;
  traceparent: string | null;
  /** Whom its tokens are charged to. */
  payer: Pick<Payer, 'userId' | 'tokenId'>;
}

/**
 * The insertion of the response, for the model that the thread has at this moment; `thread` is the statement's row of the thread,
 * none if it was refused.
 */
export function queueSql({ messageId, traceparent, payer }: QueuedResponse): Prisma.Sql {
  return Prisma.sql`
      INSERT INTO response (message_id, thread_id, status, created_at, traceparent, chosen_model, charged_user_id, charged_token_id)
      SELECT ${messageId}, id, 'queued', updated_at, ${traceparent}, model, ${payer.userId}, ${payer.tokenId} FROM thread`;
}

/** The column of a thread that keeps the chosen model, for `columns` of `waitSql`; without a choice it stays as it is. */
export function modelSql(model: string | null): Prisma.Sql {
  return model === null ? Prisma.empty : Prisma.sql`, model = ${model}`;
}
