/** Ends the service and then the process, at the latest a moment after the grace, even where a part of it hangs. */
import type { Logger } from 'pino';
import { withinMs } from '../async/time-limit.js';
import type { RunningService } from '../serve.js';

export interface EndOptions {
  service: Pick<RunningService, 'stop' | 'ending'>;
  logger: Logger;
  /** What the end may take beyond the grace of running responses. */
  farewellMs: number;
  exit: (status: number) => void;
}

/** `graceMs` is how long running responses may go on, `status` what the process ends with where the service ends cleanly. */
export type End = (how: { graceMs: number; status: number }) => Promise<void>;

/** The function that does it. The first call decides how, and later ones wait for the same end. */
export function endOnce(options: EndOptions): End {
  let ended: Promise<void> | undefined;
  return (how) => {
    ended ??= end(options, how);
    return ended;
  };
}

async function end({ service, logger, farewellMs, exit }: EndOptions, how: Parameters<End>[0]): Promise<void> {
  try {
    const stopped = service.stop(how.graceMs).then(() => true);
    if (await withinMs(how.graceMs + farewellMs, stopped)) return exit(how.status);
    logger.fatal(`this part did not stop in time, exiting anyway: ${service.ending ?? 'unknown'}`);
  } catch (error) {
    logger.error({ err: error }, 'the service did not stop cleanly');
  }
  exit(1);
}
