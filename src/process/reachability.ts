/**
 * Checks whether the database responds. A frozen server or a dead network never fails, while readiness must be answered
 * quickly; so a late response counts as failure. Concurrent checks share one statement.
 */
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import type { WriteAccess } from '../database/write-access.js';
import { withinMs } from '../platform/async/time-limit.js';

const limitMs = 1_500;

/**
 * Returns the check. It never rejects, and resolves within little more than the timeout. A database that refuses writes
 * does not count as reachable until something can be written.
 */
export function createReachability(database: PrismaClient, writes: WriteAccess): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const ask = () =>
    (writes.isRefused ? writes.tryToWrite(database) : database.$queryRaw`SELECT 1`)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asking = undefined;
      });
  return async () => {
    asking ??= ask();
    return (await withinMs(limitMs, asking)) ?? false;
  };
}
