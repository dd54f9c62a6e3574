/** Serves in several processes: this one is the primary of the group, and the others serve. */
import type { Config } from '../config.js';
import { createLogger } from '../log.js';
import { ProcessGroupError } from '../process/group/messages.js';
import { startGroup } from '../process/group/primary.js';
import { handleUnhandledErrors } from '../process/unhandled-errors.js';
import { endingOf, endOnSignal } from './end-on-signal.js';
import { type End, endOnce } from './end-once.js';
import { logFailure } from './explain-failure.js';
import { logServing, memberShutdownTimeoutMs, shutdownTimeoutMs } from './shutdown-timeout.js';

export async function serveGroup(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel, 0);
  const exit = (status: number) => process.exit(status);
  let end: End = async ({ status }) => exit(status);
  handleUnhandledErrors({ process, logger, end: () => end({ graceMs: 0, status: 1 }) });
  const starting = startGroup({ config, logger, shutdownTimeoutMs: memberShutdownTimeoutMs }).then(
    (group) => {
      // The first of the processes prints the first-run notice.
      end = endOnce({ service: group, firstRunNotice: Promise.resolve(), logger, shutdownTimeoutMs, exit });
      return group;
    },
    (error: unknown) => {
      if (!(error instanceof ProcessGroupError && error.isExplained)) logFailure(logger, error);
      return exit(1);
    },
  );
  // A start is not broken off: its embedded database would run on.
  const endWhenStarted: End = (how) => starting.then(() => end(how));
  endOnSignal({
    ...{ signals: process, end: endWhenStarted, logger, exit },
    ...{ nowMs: () => performance.now(), ...endingOf(config) },
  });
  const group = await starting;
  group.supervised.catch((error: unknown) => {
    logFailure(logger, error);
    void end({ graceMs: 0, status: 1 });
  });
  logServing(logger, group.url);
}
