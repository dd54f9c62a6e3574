/**
 * The claim by the statement that queues the response. A worker reserves one of its free slots for the statement, which claims
 * the response where no other waits and the shares allow it: the thread then passes through `waiting` to `active` in one step, which
 * the database checks and records as both. Otherwise the response is queued, and waits for its turn.
 */
import { Prisma } from '../../../../prisma/generated/client/client.js';
import type { ActiveMessage, NewestConversation } from '../../messages/newest-messages.js';
import type { Who } from '../../threads/visibility.js';
import type { Payer } from '../../usage/budgets/budget.js';
import { type Claimer, runningSql } from './claim.js';
import { type ClaimedResponse, fromNow, inTime } from './claimed-response.js';

/** A free slot of this process's worker, for one statement. */
export interface Slot {
  worker: Claimer;
  /** How many other slots of the worker were reserved before this one: what their statements claim is not seen yet. */
  others: number;
  /** Monotonic time. */
  reservedMs: number;
  /** Maximum bytes of the conversation that the statement returns. */
  conversationBytes: number;
  /** Starts the run, once the statement has committed. */
  begin(claimed: ClaimedAtOnce): void;
}

export interface ClaimedAtOnce {
  run: ClaimedResponse;
  /** Null: the worker reads it. */
  conversation: NewestConversation | null;
  ownerId: string;
  organizationId: number;
}

/** Reserves slots. */
export interface Slots {
  /** Runs `send` with a slot, or with null where none is free. The slot is released when `send` has ended, however it ends. */
  reserve<T>(send: (slot: Slot | null) => Promise<T>): Promise<T>;
}

/** For a process without a worker. */
export const noSlots: Slots = { reserve: (send) => send(null) };

/** The query `place` of a statement that creates a thread: whether its response may be claimed at once. */
export function placeOfNewSql(slot: Slot | null, { userId, organizationId }: Who): Prisma.Sql {
  return placeSql(
    slot,
    Prisma.sql`SELECT ${userId}::text AS owner_id, ${organizationId}::int AS organization_id, NULL::bigint AS changed_xid`,
  );
}

/** The same for a thread that is there. Where it has changed since, the statement has waited for others, and does not claim. */
export function placeOfSql(slot: Slot | null, threadId: string): Prisma.Sql {
  return placeSql(slot, Prisma.sql`SELECT owner_id, organization_id, changed_xid FROM thread WHERE id = ${threadId}`);
}

/** For a worker without shares. */
const most = 2 ** 31;

/** The shares are those of the claim, with all that the other reserved slots may come to. */
function placeSql(slot: Slot | null, thread: Prisma.Sql): Prisma.Sql {
  if (!slot) return Prisma.sql`SELECT false AS is_free, NULL::bigint AS changed_xid`;
  const { worker, others } = slot;
  const { perUser, perOrganization } = worker.shares ?? { perUser: most, perOrganization: most };
  return Prisma.sql`
    WITH running AS MATERIALIZED (${runningSql(worker.id)})
    SELECT o.changed_xid, NOT EXISTS (SELECT FROM thread w WHERE w.state = 'waiting') AND ${inTime(worker)} AND (
      SELECT coalesce(sum(here) FILTER (WHERE running.owner_id = o.owner_id), 0) + ${others}::bigint < ${perUser}::bigint
        AND coalesce(sum(here), 0) + ${others}::bigint < ${perOrganization}::bigint
      FROM running WHERE running.organization_id = o.organization_id) AS is_free
    FROM (${thread}) o`;
}

/** The state, queueing time and epoch of a new thread; `place` is the query above, `now` the time. */
export const startSql = Prisma.sql`
  CASE WHEN place.is_free THEN 'active' ELSE 'waiting' END::thread_state, CASE WHEN NOT place.is_free THEN now END, place.is_free::int`;

/** What a sending statement returns of its thread `t`, for the queries below. */
export const sentColumns = Prisma.sql`t.id, t.last_sequence, t.updated_at, t.model, t.state = 'active' AS is_claimed, t.epoch, t.owner_id,
  t.organization_id, t.instructions`;

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
export function queueSql({ messageId, traceparent, payer }: QueuedResponse, slot: Slot | null): Prisma.Sql {
  const columns = Prisma.sql`message_id, thread_id, created_at, traceparent, chosen_model, charged_user_id, charged_token_id, status`;
  const values = Prisma.sql`${messageId}, id, updated_at, ${traceparent}, model, ${payer.userId}, ${payer.tokenId}`;
  if (!slot) return Prisma.sql`INSERT INTO response (${columns}) SELECT ${values}, 'queued' FROM thread`;
  const { id, lease } = slot.worker;
  return Prisma.sql`
      INSERT INTO response (${columns}, attempt, epoch, worker_id, lease_until, started_at, deadline_at)
      SELECT ${values}, CASE WHEN is_claimed THEN 'running' ELSE 'queued' END::response_status, is_claimed::int,
        CASE WHEN is_claimed THEN epoch ELSE 0 END, run.* FROM thread LEFT JOIN LATERAL (
          SELECT ${id}, ${fromNow(lease.leaseMs)}, clock_timestamp(), ${fromNow(lease.deadlineMs)}) run ON is_claimed`;
}

/** The last query of a sending statement. `earlier` is the conversation before the message, as one JSON value; null: it is not known. */
export function sentSql(earlier: Prisma.Sql | null): Prisma.Sql {
  return Prisma.sql`
    SELECT is_claimed AS "isClaimed", epoch, model, owner_id AS "ownerId", organization_id AS "organizationId", instructions,
      last_sequence AS sequence, EXISTS (SELECT FROM budget b WHERE b.organization_id = thread.organization_id) AS "hasBudgets",
      CASE WHEN is_claimed THEN (${earlier ?? Prisma.sql`NULL::json`}) END AS earlier,
      CASE WHEN NOT is_claimed THEN wake('response_queued', '')::text END AS notified
    FROM thread`;
}

export interface SentRow {
  isClaimed: boolean;
  epoch: bigint;
  model: string | null;
  ownerId: string;
  organizationId: number;
  instructions: string | null;
  sequence: number;
  hasBudgets: boolean;
  earlier: ActiveMessage[] | null;
}

export interface SentMessage {
  threadId: string;
  messageId: string;
  traceparent: string | null;
  payer: Payer;
  contents: ActiveMessage['contents'];
}

/** Starts the run if the statement has claimed it. */
export function beginClaimed(slot: Slot | null, row: SentRow, { contents, payer, ...ids }: SentMessage): void {
  if (!slot || !row.isClaimed) return;
  const { ownerId, organizationId, sequence, instructions, earlier, hasBudgets } = row;
  const run: ClaimedResponse = {
    ...ids,
    epoch: Number(row.epoch),
    attempt: 1,
    // Not before the deadline in the row: until then, a response is tried again.
    deadlineMs: performance.now() + slot.worker.lease.deadlineMs,
    isStopRequested: false,
    acceptedMs: slot.reservedMs,
    chosenModel: row.model,
    callsBefore: 0,
    payer: { ...payer, organizationId, hasBudgets },
  };
  const conversation = earlier && {
    messages: [...earlier, { sequence, role: 'user' as const, contents }],
    instructions,
  };
  slot.begin({ run, conversation, ownerId, organizationId });
}
