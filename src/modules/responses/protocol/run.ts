/**
 * The state protocol, one transition a file: how a message is queued, claimed, kept, restarted, taken over and ended. Each
 * transition is one statement that changes the thread and its response together, so no pause or crash comes between them.
 *
 * Under READ COMMITTED a statement that waited for a lock sees the locked rows anew and all other rows as they were when it
 * began. So every transition first locks both rows, the thread before its response, and judges them there
 * (`FOR UPDATE OF t, r`); after that it names them by the ids of the locked rows alone, because any other condition would
 * be judged by the older snapshot. A response that was queued after the snapshot is not seen, and its thread is left alone.
 *
 * The fence is the thread's `epoch`: it grows with each claim, restart, takeover and interruption, and a worker writes only
 * under its own. No row changed means that the run belongs to somebody else. All times are the database's.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { LeaseSettings } from '../worker/lease-settings.js';

/** A response that this worker runs, under the epoch that it was given. */
export interface Run {
  threadId: string;
  messageId: string;
  epoch: number;
  attempt: number;
  /** Monotonic time of this process at which the response must have ended. */
  deadlineMs: number;
  /** Whether somebody asked to stop it. */
  isStopRequested: boolean;
}

/** What a worker says of itself in every claim. */
export interface Worker {
  id: string;
  lease: LeaseSettings;
  /** When it asks, in milliseconds of the database's clock, so that nothing is taken much later. Undefined: at any time. */
  askedAtMs?: number | undefined;
}

export type RunRow = Omit<Run, 'epoch' | 'deadlineMs'> & { epoch: bigint; msLeft: number };

export const runColumns = Prisma.sql`r.thread_id AS "threadId", r.message_id AS "messageId", r.epoch, r.attempt,
  r.stop_reason IS NOT NULL AS "isStopRequested", extract(epoch FROM r.deadline_at - clock_timestamp())::float8 * 1000 AS "msLeft"`;

export function toRuns(rows: RunRow[]): Run[] {
  return rows.map(({ threadId, messageId, epoch, attempt, msLeft, isStopRequested }) => {
    const deadlineMs = performance.now() + msLeft;
    return { threadId, messageId, epoch: Number(epoch), attempt, deadlineMs, isStopRequested };
  });
}

/**
 * False for a statement that is executed long after it was asked for. A server that was frozen does so with all that had
 * reached it, also where the caller has long given up; and by then the lease of every healthy worker has run out.
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
