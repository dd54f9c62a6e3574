/**
 * Handles signals: the first one lets running responses finish, the second one ends the process. A repetition of the
 * same signal within 500 ms counts as the first one, because npm forwards signals that a terminal or supervisor has
 * already sent to the whole process group.
 */
import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { End } from './end-once.js';

const passedOnMs = 500;

export interface EndOnSignalOptions {
  /** The emitter of the signals: the process. */
  signals: EventEmitter;
  end: End;
  logger: Logger;
  exit: (status: number) => void;
  /** Monotonic time in milliseconds. */
  nowMs: () => number;
  /** How long SIGTERM lets new requests be accepted. SIGINT and SIGHUP come from a terminal, where nobody waits for a balancer. */
  drainMs: number;
  /** How long running responses may continue, from the signal on. */
  graceMs: number;
}

export function endingOf({ drainSeconds, graceSeconds }: Config): Pick<EndOnSignalOptions, 'drainMs' | 'graceMs'> {
  return { drainMs: drainSeconds * 1000, graceMs: graceSeconds * 1000 };
}

/** Listens for as long as the process lives. */
export function endOnSignal({ signals, end, logger, exit, nowMs, drainMs, graceMs }: EndOnSignalOptions): void {
  let first: { signal: string; atMs: number } | undefined;
  const onSignal = (signal: string) => {
    if (first) {
      const passedOn = signal === first.signal && nowMs() - first.atMs < passedOnMs;
      return passedOn ? undefined : exit(1);
    }
    first = { signal, atMs: nowMs() };
    logger.info({ signal }, 'stopping; waiting for running responses, a second signal ends them');
    void end({ drainMs: signal === 'SIGTERM' ? drainMs : 0, graceMs, status: 0 });
  };
  signals.on('SIGTERM', onSignal);
  signals.on('SIGINT', onSignal);
  // A terminal that is closed; Node would end without a word, and the embedded database would run on.
  signals.on('SIGHUP', onSignal);
}
