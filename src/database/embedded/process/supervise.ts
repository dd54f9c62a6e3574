import { once } from 'node:events';
import type { Logger } from 'pino';
import { pause } from '../../../platform/async/time-limit.js';
import { type Postmaster, type StartPostmasterOptions, startPostmaster, stopPostmaster } from './postmaster.js';

const firstDelayMs = 100;
const longestDelayMs = 5_000;
/** A server that ran for this long is started again at once. */
const healthyMs = 10_000;

/** Starts the server again whenever it ends, until the signal is aborted; then stops it. */
export async function supervise(
  { exited }: Postmaster,
  launch: StartPostmasterOptions,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
): Promise<void> {
  const stopRequested = once(signal, 'abort');
  for (let delayMs = 0; !signal.aborted; ) {
    const startedMs = performance.now();
    await Promise.race([exited, stopRequested]);
    if (signal.aborted) break;
    delayMs =
      performance.now() - startedMs > healthyMs ? 0 : Math.min(Math.max(delayMs * 2, firstDelayMs), longestDelayMs);
    logger.error({ delayMs }, 'PostgreSQL stopped unexpectedly; restarting it');
    await pause(delayMs, signal);
    if (signal.aborted) break;
    try {
      ({ exited } = await startPostmaster(launch));
      logger.info('PostgreSQL is running again');
    } catch (error) {
      logger.error({ err: error }, 'PostgreSQL could not be restarted');
    }
  }
  await stopPostmaster(launch.directory.clusterDir);
}
