/**
 * Handles signals: the first one lets running responses finish, the second one ends the process. A repetition of the
 * same signal within 500 ms counts as the first one, because npm forwards signals that a terminal or supervisor has
 * already sent to the whole process group.
 */
import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { End } from './end-once.js';

const graceMs = 25_000;
const passedOnMs = 500;

export interface EndOnSignalOptions {
  /** The emitter of the signals: the process. */
  signals: EventEmitter;
  end: End;
  logger: Logger;
  exit: (status: number) => void;
  /** Monotonic time in milliseconds. */
  nowMs: () => number;
}

/** Listens for as long as the process lives. */
export function endOnSignal({ signals, end, logger, exit, nowMs }: EndOnSignalOptions): void {
  let first: { signal: string; atMs: number } | undefined;
  const onSignal = (signal: string) => {
    if (first) {
      const passedOn = signal === first.signal && nowMs() - first.atMs < passedOnMs;
      return passedOn ? undefined : exit(1);
    }
    first = { signal, atMs: nowMs() };
    logger.info({ signal }, 'stopping; waiting for running responses, a second signal ends them');
    void end({ graceMs, status: 0 });
  };
  signals.on('SIGTERM', onSignal);
  signals.on('SIGINT', onSignal);
}
