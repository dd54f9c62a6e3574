/**
 * Ends open streams and transfers whose access has ended without a notification: because a time has run out, a
 * notification was lost, or the notification connection is down. Takes one statement per second, and none while nothing
 * is open.
 */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { findEndedAccess } from '../modules/identity/find-ended-access.js';
import type { OpenAccess } from '../modules/identity/open-access.js';
import { IntervalLoop } from '../platform/async/interval-loop.js';
import { RepeatedFailure } from '../platform/async/repeated-failure.js';

export interface AccessCheckOptions {
  database: PrismaClient;
  openAccess: OpenAccess;
  logger: Logger;
  intervalMs: number;
}

export function startAccessCheck({ database, openAccess, logger, intervalMs }: AccessCheckOptions): IntervalLoop {
  const check = async () => {
    if (openAccess.size === 0) return;
    for (const ended of await findEndedAccess(database, openAccess.keys())) openAccess.receive(ended);
  };
  const failure = new RepeatedFailure();
  const report = (error: unknown) =>
    failure.report(error, (fields) =>
      logger.warn(fields, 'the access of open streams could not be checked; retrying soon'),
    );
  const loop = new IntervalLoop(intervalMs, () => check().catch(report));
  loop.start();
  return loop;
}
