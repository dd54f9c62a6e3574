/**
 * The first signal lets running responses finish, the second ends the process. The same signal again within a moment is still
 * the first: npm passes on what it gets, and a terminal or a supervisor has often sent it to the whole group already.
 */
import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { End } from './end-once.js';

const graceMs = 25_000;
const passedOnMs = 500;

export interface EndOnSignalOptions {
  /** Where the signals come from: the process. */
  signals: EventEmitter;
  end: End;
  logger: Logger;
  exit: (status: number) => void;
  /** A clock that only goes forward, in milliseconds. */
  nowMs: () => number;
}

/** Listens from now on, for as long as the process lives. */
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
