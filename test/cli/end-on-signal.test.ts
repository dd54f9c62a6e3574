import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { endOnSignal } from '../../src/cli/end-on-signal.js';

/** A process that gets these signals, each at its time in milliseconds: what it was told to do. */
function afterSignals(...sent: [signal: string, atMs: number][]) {
  const signals = new EventEmitter();
  const did: string[] = [];
  let nowMs = 0;
  endOnSignal({
    signals,
    logger: pino({ enabled: false }),
    ...{ graceMs: 25_000, drainMs: 5_000 },
    end: async ({ drainMs, graceMs, status }) => {
      did.push(`end within ${graceMs} with ${status}`);
      if (drainMs) did.push(`accept requests for ${drainMs}`);
    },
    exit: (status) => void did.push(`exit ${status}`),
    nowMs: () => nowMs,
  });
  for (const [signal, atMs] of sent) {
    nowMs = atMs;
    signals.emit(signal, signal);
  }
  return did;
}

const ended = 'end within 25000 with 0';
const accepts = 'accept requests for 5000';
const twice = (first: string, second: string, ms: number): [signal: string, atMs: number][] => [
  [first, 1000],
  [second, 1000 + ms],
];

describe('signals', () => {
  it.each<[what: string, sent: [signal: string, atMs: number][], did: string[]]>([
    // Supervisors send this one, and people the next.
    ['SIGTERM lets responses finish, and requests be accepted for a while', [['SIGTERM', 1000]], [ended, accepts]],
    ['SIGINT lets responses finish, and accepts no more', [['SIGINT', 1000]], [ended]],
    ['SIGHUP lets responses finish, and accepts no more', [['SIGHUP', 1000]], [ended]],
    ['a second time end the process', twice('SIGINT', 'SIGINT', 500), [ended, 'exit 1']],
    ['of another kind end it, however soon', twice('SIGTERM', 'SIGINT', 1), [ended, accepts, 'exit 1']],
    ['that npm passes on a moment later are the same', twice('SIGTERM', 'SIGTERM', 4), [ended, accepts]],
    ['do so until half a second later', twice('SIGTERM', 'SIGTERM', 499), [ended, accepts]],
  ])('%s', (_what, sent, did) => {
    expect(afterSignals(...sent)).toEqual(did);
  });
});
