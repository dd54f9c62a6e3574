/**
 * Whether the database answers now. A frozen server or a dead network never says no, and whoever asks for readiness must be
 * told within a moment: so what takes longer counts as no. However many ask, one statement is on its way.
 */
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { withinMs } from '../async/time-limit.js';

const limitMs = 1_500;

/** The function that asks. It never rejects, and answers in little more than the limit. */
export function createReachability(database: PrismaClient): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const ask = () =>
    database.$queryRaw`SELECT 1`
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
