/** What the ways to serve have in common. */
import type { Logger } from 'pino';

/**
 * Time for the shutdown itself, so that with the grace period it stays below the 30 s after which supervisors usually
 * kill.
 */
export const shutdownTimeoutMs = 4_000;

/** The same for a process of a group, after which its primary still stops the database. */
export const memberShutdownTimeoutMs = 3_000;

export function logServing(logger: Logger, url: string): void {
  logger.info({ url }, `serving REST at ${url}/api/v1 and GraphQL at ${url}/graphql`);
}
