/**
 * Renewing and releasing leases. These statements change only the response, and all their conditions are on its row,
 * which PostgreSQL re-evaluates after waiting for a lock: the thread needs no lock.
 */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { type ClaimedResponse, claimedBy, claimedColumns, fromNow, leftMs, type Worker } from './claimed-response.js';

/**
 * Renews the leases of the named runs, and returns those that are still this worker's. Renewing all runs of the worker
 * would keep alive what it has forgotten, such as a claim whose response was lost. How much time a run has left is known
 * best by its worker, whose clock is monotonic: that of the database leaps ahead when a machine wakes up.
 */
export async function heartbeat(
  database: PrismaClient,
  worker: Worker,
  runs: readonly ClaimedResponse[],
): Promise<ClaimedResponse[]> {
  return claimedBy(
    database,
    Prisma.sql`
    UPDATE response r SET lease_until = ${fromNow(worker.lease.leaseMs)},
      deadline_at = clock_timestamp() + mine.left_ms * interval '1 ms'
    FROM ${named(runs)}
    WHERE r.message_id = mine.message_id AND r.epoch = mine.epoch AND r.worker_id = ${worker.id} AND r.status = 'running'
    RETURNING ${claimedColumns}`,
  );
}

/** Releases runs, so that a worker reclaims them without waiting for the lease. */
export async function release(database: PrismaClient, runs: readonly ClaimedResponse[]): Promise<void> {
  await database.$executeRaw`
    UPDATE response r SET lease_until = clock_timestamp() FROM ${named(runs)}
    WHERE r.message_id = mine.message_id AND r.epoch = mine.epoch AND r.status = 'running'`;
}

/** Expires all leases. Only for a process that uses the database alone at this moment: their holders are gone. */
export async function expireAllLeases(database: PrismaClient): Promise<void> {
  await database.$executeRaw`UPDATE response SET lease_until = clock_timestamp() WHERE status = 'running'`;
}

function named(runs: readonly ClaimedResponse[]): Prisma.Sql {
  const messageIds = runs.map((run) => run.messageId);
  const epochs = runs.map((run) => run.epoch);
  const left = runs.map(leftMs);
  return Prisma.sql`unnest(${messageIds}::text[], ${epochs}::bigint[], ${left}::float8[]) AS mine (message_id, epoch, left_ms)`;
}
