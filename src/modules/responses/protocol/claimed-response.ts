/**
 * The state protocol, one transition per file: queue, claim, heartbeat, restart, reclaim and end of a response. Each
 * transition is one statement that changes the thread and its response together, so no pause or crash can come between.
 * Under READ COMMITTED, a statement that waited for a lock sees the locked rows anew and all other rows as they were
 * when it began. Every transition therefore first locks both rows, the thread before its response, and checks its
 * conditions on them (`FOR UPDATE OF t, r`); after that it refers to them by the ids of the locked rows only, because
 * other conditions would use the older snapshot. A response that was queued after the snapshot is not seen, and its
 * thread is left alone. The fence is the thread's `epoch`: it increases with each claim, restart, reclaim and
 * interruption, and a worker writes only under its own. If no row changes, the run belongs to another worker. All times
 * are the database's.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { Payer } from '../../usage/budgets/budget.js';
import type { LeaseSettings } from '../worker/lease-settings.js';

/** A claimed response of this worker, with its epoch. */
export interface ClaimedResponse {
  threadId: string;
  messageId: string;
  epoch: number;
  attempt: number;
  /** Monotonic time by which the response must have ended. */
  deadlineMs: number;
  /** Whether a stop was requested. */
  isStopRequested: boolean;
  /** Monotonic time at which its message was accepted. */
  acceptedMs: number;
  /** Of the request that asked for it; null if it was not traced. */
  traceparent: string | null;
  /** The model that was chosen when the message was sent; null: the default one. */
  chosenModel: string | null;
  /** Calls of the model that earlier attempts are known to have made. */
  callsBefore: number;
  /** Whom its tokens are charged to. */
  payer: Payer;
}

/** The identity of a worker in every claim. */
export interface Worker {
  id: string;
  lease: LeaseSettings;
  /**
   * Database time of the request, in milliseconds, so that no claim takes effect much later; undefined: at any time.
   */
  askedAtMs?: number | undefined;
}

/** What a statement that returns `claimedColumns` returns. */
export type ClaimedResponseRow = Omit<ClaimedResponse, 'epoch' | 'deadlineMs' | 'acceptedMs'> & {
  epoch: bigint;
  msLeft: number;
  age: number;
};

export const claimedColumns = Prisma.sql`r.thread_id AS "threadId", r.message_id AS "messageId", r.epoch, r.attempt, r.traceparent, r.chosen_model AS "chosenModel",
  (SELECT jsonb_build_object('organizationId', p.organization_id, 'userId', coalesce(r.charged_user_id, p.owner_id), 'tokenId', r.charged_token_id,
    'hasBudgets', EXISTS (SELECT FROM budget b WHERE b.organization_id = p.organization_id)) FROM thread p WHERE p.id = r.thread_id) AS payer,
  greatest(r.attempt - 1, coalesce((r.retry->>'spent')::int, 0)) AS "callsBefore",
  r.stop_reason IS NOT NULL AS "isStopRequested", extract(epoch FROM r.deadline_at - clock_timestamp())::float8 * 1000 AS "msLeft",
  extract(epoch FROM clock_timestamp() - r.created_at)::float8 * 1000 AS age`;

/** Milliseconds until the deadline of a run. */
export function leftMs({ deadlineMs }: Pick<ClaimedResponse, 'deadlineMs'>): number {
  return deadlineMs - performance.now();
}

/** Executes a transition that returns `claimedColumns`. */
export async function claimedBy(database: PrismaClient, transition: Prisma.Sql): Promise<ClaimedResponse[]> {
  return (await database.$queryRaw<ClaimedResponseRow[]>(transition)).map(toClaimedResponse);
}

export function toClaimedResponse({ epoch, msLeft, age, ...rest }: ClaimedResponseRow): ClaimedResponse {
  const nowMs = performance.now();
  return { ...rest, epoch: Number(epoch), deadlineMs: nowMs + msLeft, acceptedMs: nowMs - age };
}

/**
 * A condition that is false for statements executed long after they were sent. A frozen server executes everything that
 * had reached it, although the callers have given up; by then the leases of all healthy workers have expired.
 */
export function inTime({ askedAtMs, lease }: Worker): Prisma.Sql {
  if (askedAtMs === undefined) return Prisma.sql`true`;
  return Prisma.sql`extract(epoch FROM clock_timestamp()) * 1000 < ${askedAtMs + lease.leaseMs / 2}::double precision`;
}

/** The database's time, in milliseconds. */
export async function databaseTimeMs(database: PrismaClient): Promise<number> {
  const [row] = await database.$queryRaw<{ nowMs: number }[]>`
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"`;
  if (!row) throw new Error('PostgreSQL returned no time');
  return row.nowMs;
}

export function fromNow(milliseconds: number): Prisma.Sql {
  return Prisma.sql`clock_timestamp() + ${milliseconds}::double precision * interval '1 millisecond'`;
}
