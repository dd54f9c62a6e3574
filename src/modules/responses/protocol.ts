/**
 * How a worker takes, keeps and ends responses. Each step is one statement that changes the thread and its response
 * together, so no pause or crash of a worker can come between them. The fence is the thread's `epoch`: it goes up with each
 * claim, restart and takeover, and a worker writes only `WHERE state = 'active' AND epoch = <its own>`. No row changed
 * means that the run belongs to somebody else now. All times are the database's.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { nowAfter } from '../threads/clock.js';
import type { LeaseSettings } from './lease-settings.js';

/** A response that this worker runs, under the epoch that it was given. */
export interface Run {
  threadId: string;
  messageId: string;
  epoch: number;
  attempt: number;
  /** Monotonic time of this process at which the response must have ended. */
  deadlineMs: number;
  /** True where somebody asked to stop it. */
  isStopRequested: boolean;
}

/** What a worker says of itself in every claim. */
export interface Worker {
  id: string;
  lease: LeaseSettings;
  /** When it asks, in milliseconds of the database's clock, so that nothing is taken much later. Undefined: at any time. */
  askedAtMs?: number | undefined;
}

/** Takes up to `slots` waiting threads, those that wait longest first. Concurrent workers never take the same one. */
export async function claim(database: PrismaClient, worker: Worker, slots: number): Promise<Run[]> {
  return toRuns(
    await database.$queryRaw<RunRow[]>`
    WITH picked AS (
      SELECT id FROM thread WHERE state = 'waiting' AND ${inTime(worker)}
      ORDER BY queued_at LIMIT ${slots} FOR UPDATE SKIP LOCKED),
    claimed AS (
      UPDATE thread t SET state = 'active', queued_at = NULL, epoch = t.epoch + 1
      FROM picked WHERE t.id = picked.id RETURNING t.id, t.epoch)
    UPDATE response r SET status = 'running', attempt = r.attempt + 1, epoch = claimed.epoch, worker_id = ${worker.id},
      lease_until = ${fromNow(worker.lease.leaseMs)}, started_at = clock_timestamp(),
      deadline_at = ${fromNow(worker.lease.deadlineMs)}
    FROM claimed WHERE r.thread_id = claimed.id AND r.status = 'queued'
    RETURNING ${runColumns}`,
  );
}

/**
 * Renews the leases of the named runs, and gives back those that are still this worker's. Named, because "all of mine"
 * would keep alive for ever what this worker has long forgotten, such as a claim whose answer was lost.
 */
export async function heartbeat(database: PrismaClient, worker: Worker, runs: readonly Run[]): Promise<Run[]> {
  return toRuns(
    await database.$queryRaw<RunRow[]>`
    UPDATE response r SET lease_until = ${fromNow(worker.lease.leaseMs)} FROM ${named(runs)}
    WHERE r.message_id = mine.message_id AND r.epoch = mine.epoch AND r.worker_id = ${worker.id} AND r.status = 'running'
    RETURNING ${runColumns}`,
  );
}

/**
 * Starts the run over under a new epoch, after a fault that may pass but came when viewers had already seen text. Null
 * where the attempts or the time are used up, somebody asked to stop, or the run is no longer this worker's.
 */
export async function restart(database: PrismaClient, worker: Worker, run: Run): Promise<Run | null> {
  const [restarted] = toRuns(
    await database.$queryRaw<RunRow[]>`
    WITH kept AS (
      UPDATE thread t SET epoch = t.epoch + 1
      FROM response r WHERE t.id = ${run.threadId} AND t.state = 'active' AND t.epoch = ${run.epoch}
        AND r.message_id = ${run.messageId} AND r.stop_reason IS NULL
        AND r.attempt < ${worker.lease.maxAttempts} AND r.deadline_at > clock_timestamp()
      RETURNING t.id, t.epoch)
    UPDATE response r SET attempt = r.attempt + 1, epoch = kept.epoch, lease_until = ${fromNow(worker.lease.leaseMs)}
    FROM kept WHERE r.message_id = ${run.messageId} AND r.status = 'running'
    RETURNING ${runColumns}, pg_notify('response_changed', r.message_id)::text AS notified`,
  );
  return restarted ?? null;
}

/**
 * Takes over runs whose lease has passed, or whose deadline, after which a living worker has one more lease to store what
 * was said. Both rows are locked, so the conditions hold on their newest versions. Runs that somebody asked to stop end
 * as `interrupted`, runs without attempts or time left in `error`. Gives back the runs to start.
 */
export async function takeOver(database: PrismaClient, worker: Worker, slots: number): Promise<Run[]> {
  const { maxAttempts, leaseMs } = worker.lease;
  return toRuns(
    await database.$queryRaw<RunRow[]>`
    WITH lost AS (
      SELECT t.id, r.message_id, r.stop_reason, r.deadline_at < clock_timestamp() AS late,
        r.stop_reason IS NOT NULL OR r.attempt >= ${maxAttempts} OR r.deadline_at < clock_timestamp() AS is_over
      FROM response r JOIN thread t ON t.id = r.thread_id
      WHERE r.status = 'running' AND (r.lease_until < clock_timestamp() OR ${fromNow(-leaseMs)} > r.deadline_at)
        AND t.state = 'active' AND t.epoch = r.epoch AND ${inTime(worker)}
      LIMIT ${slots} FOR UPDATE OF t, r SKIP LOCKED),
    fenced AS (
      UPDATE thread t SET epoch = t.epoch + 1, interrupt_reason = lost.stop_reason,
        state = CASE WHEN lost.stop_reason IS NOT NULL THEN 'interrupted' WHEN lost.is_over THEN 'error' ELSE t.state END,
        updated_at = CASE WHEN lost.is_over THEN ${nowAfter(Prisma.sql`t.updated_at`)} ELSE t.updated_at END
      FROM lost WHERE t.id = lost.id RETURNING t.epoch, lost.message_id, lost.stop_reason, lost.late, lost.is_over),
    ended AS (
      UPDATE response r SET lease_until = NULL, finished_at = clock_timestamp(), epoch = fenced.epoch,
        status = CASE WHEN fenced.stop_reason IS NULL THEN 'failed' ELSE 'interrupted' END::response_status,
        error_code = CASE WHEN fenced.stop_reason IS NOT NULL THEN 'response_interrupted'
          WHEN fenced.late THEN 'deadline_exceeded' ELSE 'worker_lost' END,
        error_message = coalesce(fenced.stop_reason, CASE WHEN fenced.late THEN ${lateMessage} ELSE ${lostMessage} END)
      FROM fenced WHERE r.message_id = fenced.message_id AND fenced.is_over
      RETURNING pg_notify('response_changed', r.message_id)),
    taken AS (
      UPDATE response r SET attempt = r.attempt + 1, epoch = fenced.epoch, worker_id = ${worker.id}, lease_until = ${fromNow(leaseMs)}
      FROM fenced WHERE r.message_id = fenced.message_id AND NOT fenced.is_over
      RETURNING ${runColumns}, pg_notify('response_changed', r.message_id)::text AS notified)
    SELECT * FROM taken`,
  );
}

const lateMessage = 'The response took longer than is allowed. Create a new thread to go on.';
const lostMessage = 'The response was interrupted too often to be finished. Create a new thread to go on.';

/** Gives runs back, so that another worker, or this process after its next start, takes them over without waiting. */
export async function release(database: PrismaClient, runs: readonly Run[]): Promise<void> {
  await database.$executeRaw`
    UPDATE response r SET lease_until = clock_timestamp() FROM ${named(runs)}
    WHERE r.message_id = mine.message_id AND r.epoch = mine.epoch AND r.status = 'running'`;
}

/** Ends every lease at once. Only for a process that has the database to itself: whoever held them is certainly gone. */
export async function expireAllLeases(database: PrismaClient): Promise<void> {
  await database.$executeRaw`UPDATE response SET lease_until = clock_timestamp() WHERE status = 'running'`;
}

type RunRow = Omit<Run, 'epoch' | 'deadlineMs'> & { epoch: bigint; msLeft: number };

const runColumns = Prisma.sql`r.thread_id AS "threadId", r.message_id AS "messageId", r.epoch, r.attempt,
  r.stop_reason IS NOT NULL AS "isStopRequested", extract(epoch FROM r.deadline_at - clock_timestamp())::float8 * 1000 AS "msLeft"`;

function toRuns(rows: RunRow[]): Run[] {
  return rows.map(({ threadId, messageId, epoch, attempt, msLeft, isStopRequested }) => {
    const deadlineMs = performance.now() + msLeft;
    return { threadId, messageId, epoch: Number(epoch), attempt, deadlineMs, isStopRequested };
  });
}

function named(runs: readonly Run[]): Prisma.Sql {
  const messageIds = runs.map((run) => run.messageId);
  const epochs = runs.map((run) => run.epoch);
  return Prisma.sql`unnest(${messageIds}::text[], ${epochs}::bigint[]) AS mine (message_id, epoch)`;
}

/**
 * False for what is carried out long after it was asked. A server that was frozen does so with all that had reached it, also
 * where the caller has long given up; and by then the lease of every healthy worker has run out.
 */
function inTime({ askedAtMs, lease }: Worker): Prisma.Sql {
  if (askedAtMs === undefined) return Prisma.sql`true`;
  return Prisma.sql`extract(epoch FROM clock_timestamp()) * 1000 < ${askedAtMs + lease.leaseMs / 2}::double precision`;
}

function fromNow(milliseconds: number): Prisma.Sql {
  return Prisma.sql`clock_timestamp() + ${milliseconds}::double precision * interval '1 millisecond'`;
}
