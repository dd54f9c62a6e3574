import { once } from 'node:events';
import type { Logger } from 'pino';
import { pause, withinMs } from '../../../platform/async/time-limit.js';
import { type Postmaster, type StartPostmasterOptions, startPostmaster, stopPostmaster } from './postmaster.js';
import { readPostmasterPid } from './postmaster-pid.js';

const firstDelayMs = 100;
const longestDelayMs = 5_000;
/** A server that ran for this long is started again at once. */
const healthyMs = 10_000;
const checkMs = 1_000;

/** Starts the server again whenever it ends, until the signal is aborted; then stops it. */
export async function supervise(
  { exited }: Postmaster,
  launch: StartPostmasterOptions,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
): Promise<void> {
  const { clusterDir } = launch.directory;
  const stopRequested = once(signal, 'abort');
  for (let delayMs = 0; !signal.aborted; ) {
    const startedMs = performance.now();
    const ended = Promise.race([exited, stopRequested]).then(() => true);
    while (!(await withinMs(checkMs, ended))) await finishShutdown(clusterDir, logger);
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
  await stopPostmaster(clusterDir);
}

/** After SIGTERM the server takes no new sessions and waits for all others to end, which those of Skein do not. */
async function finishShutdown(clusterDir: string, logger: Logger): Promise<void> {
  try {
    const found = await readPostmasterPid(clusterDir);
    if (found?.status === 'stopping') await stopPostmaster(clusterDir);
  } catch (error) {
    logger.error({ err: error }, 'it is unknown whether PostgreSQL is stopping');
  }
}
