/** Stops the service, then exits: at the latest a short time after the grace period, even if a part hangs. */
import type { Logger } from 'pino';
import { withinMs } from '../platform/async/time-limit.js';
import type { RunningService } from '../serve.js';

export interface EndOptions {
  service: Pick<RunningService, 'stop' | 'ending'>;
  /** Finishes before the service stops, because it uses the database and prints secrets that no later start prints. */
  firstRunNotice: Promise<void>;
  logger: Logger;
  /** Time for the shutdown itself, in addition to the grace period of running responses. */
  shutdownTimeoutMs: number;
  exit: (status: number) => void;
}

/**
 * `drainMs` is how long new requests are still accepted (default: 0), and `graceMs` how long running responses may
 * continue, both from now on; `status` is the exit status after a clean shutdown.
 */
export type End = (how: { drainMs?: number; graceMs: number; status: number }) => Promise<void>;

/**
 * Returns the function that ends the process. The first call determines how; later calls wait for the same shutdown.
 */
export function endOnce(options: EndOptions): End {
  let ended: Promise<void> | undefined;
  return (how) => {
    ended ??= end(options, how);
    return ended;
  };
}

async function end(
  { service, firstRunNotice, logger, shutdownTimeoutMs, exit }: EndOptions,
  how: Parameters<End>[0],
): Promise<void> {
  try {
    const stopped = Promise.allSettled([firstRunNotice])
      .then(() => service.stop(how.graceMs, how.drainMs))
      .then(() => true);
    if (await withinMs(how.graceMs + shutdownTimeoutMs, stopped)) return exit(how.status);
    logger.fatal(`this part did not stop in time, exiting anyway: ${service.ending ?? 'unknown'}`);
  } catch (error) {
    logger.error({ err: error }, 'the service did not stop cleanly');
  }
  exit(1);
}
