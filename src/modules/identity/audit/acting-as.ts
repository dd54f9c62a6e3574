import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { Viewer } from '../authenticate.js';

/**
 * Runs `act` in a transaction on behalf of the viewer, whom the triggers of the audit log then name as the actor. Without
 * it they name the operator.
 */
export function actingAs<T>(
  database: PrismaClient,
  { userId }: Pick<Viewer, 'userId'>,
  act: (transaction: PrismaClient) => Promise<T>,
  limits?: { timeout: number; maxWait: number },
): Promise<T> {
  return database.$transaction(async (transaction) => {
    await transaction.$queryRaw`SELECT set_config('skein.actor', ${userId}, true)`;
    return act(transaction as PrismaClient);
  }, limits);
}
