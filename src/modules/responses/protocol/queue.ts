/** Queues a message: its thread becomes `waiting`, and its response can be claimed, or is claimed by the same statement. */
import { Prisma } from '../../../../prisma/generated/client/client.js';
import type { ThreadStateName } from '../../../contract.js';
import { monotonicNow } from '../../threads/clock.js';
import { sentColumns } from './claim-at-once.js';

/** A change of a thread at rest. */
export interface Change {
  /** The states in which it may be made. */
  from: readonly ThreadStateName[];
  condition: Prisma.Sql;
  columns?: Prisma.Sql;
}

/**
 * The update of an existing thread that accepts a message, after the query `place`. `condition` is a further condition in SQL, in
 * which the thread has the alias `t`; `columns` are further columns to set, each preceded by a comma. The thread's row alone decides:
 * an idle thread has no live response to lock. One that is claimed at once has `queued_at` too, by which the database knows that it
 * passes through `waiting`. One that has changed since the snapshot is queued: this statement has waited, and others may by now.
 */
export function waitSql(threadId: string, { from, condition, columns = Prisma.empty }: Change): Prisma.Sql {
  const isClaimed = Prisma.sql`(place.is_free AND place.changed_xid = t.changed_xid)`;
  return Prisma.sql`
      UPDATE thread t SET state = CASE WHEN ${isClaimed} THEN 'active' ELSE 'waiting' END::thread_state,
        epoch = t.epoch + ${isClaimed}::int, queued_at = clock_timestamp(), interrupt_reason = NULL,
        last_sequence = t.last_sequence + 2, updated_at = ${monotonicNow(Prisma.sql`t.updated_at`)} ${columns}
      FROM place
      WHERE t.id = ${threadId} AND t.state = ANY(${from}::thread_state[]) AND ${condition}
      RETURNING ${sentColumns}`;
}

/** The column of a thread that keeps the chosen model, for `columns` of `waitSql`; without a choice it stays as it is. */
export function modelSql(model: string | null): Prisma.Sql {
  return model === null ? Prisma.empty : Prisma.sql`, model = ${model}`;
}
