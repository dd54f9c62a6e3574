/**
 * Keeping and giving back leases. These change the response alone, and every condition is one of that row, which PostgreSQL
 * judges anew after a wait: no lock of the thread is needed.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { fromNow, type Run, type RunRow, runColumns, toRuns, type Worker } from './run.js';

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

function named(runs: readonly Run[]): Prisma.Sql {
  const messageIds = runs.map((run) => run.messageId);
  const epochs = runs.map((run) => run.epoch);
  return Prisma.sql`unnest(${messageIds}::text[], ${epochs}::bigint[]) AS mine (message_id, epoch)`;
}
