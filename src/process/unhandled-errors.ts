/**
 * Rejections and exceptions that nothing has handled. Each is a defect, and is logged with its stack. A rejection concerns
 * what was awaited alone, so the process goes on, where Node would end it with all its responses. After an exception
 * nobody knows what was left half done: the process ends in order, and what it releases is continued elsewhere.
 */
import type { Logger } from 'pino';
import type { MetricSource } from '../routes/operator.js';

export interface UnhandledErrorsOptions {
  process: Pick<NodeJS.Process, 'on' | 'once' | 'exitCode'>;
  logger: Logger;
  /** Ends the process in order, or joins an end that has begun. */
  end: () => unknown;
}

/** Handles them for as long as the process lives. Returns the metric of the rejections. */
export function handleUnhandledErrors({ process, logger, end }: UnhandledErrorsOptions): MetricSource {
  let rejections = 0;
  process.on('unhandledRejection', (err) => {
    rejections += 1;
    logger.error({ err }, 'nothing handled this rejection; the process goes on');
  });
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'nothing caught this exception; the process ends');
    // Also if it was about to end with another status.
    process.once('exit', () => {
      process.exitCode = 1;
    });
    end();
  });
  const help = 'Rejections that nothing handled: defects, which the log has with their stacks.';
  return { name: 'skein_unhandled_rejections_total', help, kind: 'counter', read: () => rejections };
}
