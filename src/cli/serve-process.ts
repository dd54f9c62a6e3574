/** Runs the service in this process until it is told to end: the whole service, or one process of a group. */
import { handleUnhandledErrors } from '../process/unhandled-errors.js';
import { type RunningService, type ServiceOptions, startService } from '../serve.js';
import { endingOf, endOnSignal } from './end-on-signal.js';
import { type End, endOnce } from './end-once.js';
import { logFailure } from './explain-failure.js';
import { printFirstRunNotice } from './first-run-notice.js';

export interface ServeProcessOptions extends ServiceOptions {
  printsFirstRunNotice: boolean;
  /** Time for the shutdown itself, in addition to the grace period of running responses. */
  shutdownTimeoutMs: number;
}

/** Resolves when the service runs; null if it does not, and the process is ending. */
export async function serveProcess(options: ServeProcessOptions): Promise<RunningService | null> {
  const { config, logger, group, printsFirstRunNotice, shutdownTimeoutMs } = options;
  const exit = (status: number) => process.exit(status);
  // Before it serves, there is nothing that others could continue.
  let end: End = async ({ status }) => exit(status);
  const metricSources = [handleUnhandledErrors({ process, logger, end: () => end({ graceMs: 0, status: 1 }) })];
  const starting = startService({ ...options, metricSources }).then(
    (service) => {
      const firstRunNotice = printsFirstRunNotice ? printFirstRunNotice(service, config.publicUrl) : Promise.resolve();
      end = endOnce({ service, firstRunNotice, logger, shutdownTimeoutMs, exit });
      return { service, firstRunNotice };
    },
    (error: unknown) => {
      logFailure(logger, error);
      return exit(1);
    },
  );
  // A start is not broken off: its embedded database would run on.
  const endWhenStarted: End = (how) => starting.then(() => end(how));
  endOnSignal({
    ...{ signals: process, end: endWhenStarted, logger, exit },
    ...{ nowMs: () => performance.now(), ...endingOf(config) },
  });
  const { service, firstRunNotice } = await starting;
  void group?.ending.then((how) => end({ ...how, status: 0 }));
  try {
    await firstRunNotice;
    return service;
  } catch (error) {
    logFailure(logger, error);
    // The service is running by now, but a process that reported a failure must exit, or nothing would restart it.
    await end({ graceMs: 0, status: 1 });
    return null;
  }
}
