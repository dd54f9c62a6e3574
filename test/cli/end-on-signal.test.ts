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

const endedByTerm = ['end within 25000 with 0', 'accept requests for 5000'];

describe('a signal', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('%s lets running responses finish', (signal) => {
    expect(afterSignals([signal, 1000])).toContain('end within 25000 with 0');
  });

  it('SIGTERM, which supervisors send, lets requests be accepted for a while; SIGINT, which people send, does not', () => {
    expect(afterSignals(['SIGTERM', 1000])).toEqual(['end within 25000 with 0', 'accept requests for 5000']);
    expect(afterSignals(['SIGINT', 1000])).toEqual(['end within 25000 with 0']);
  });

  it('that comes a second time ends the process at once', () => {
    expect(afterSignals(['SIGINT', 1000], ['SIGINT', 1500])).toEqual(['end within 25000 with 0', 'exit 1']);
  });

  it('of another kind ends the process at once, however soon it comes', () => {
    expect(afterSignals(['SIGTERM', 1000], ['SIGINT', 1001])).toEqual([...endedByTerm, 'exit 1']);
  });

  it('that npm passes on a moment later counts as the same one', () => {
    expect(afterSignals(['SIGTERM', 1000], ['SIGTERM', 1004], ['SIGTERM', 1499])).toEqual(endedByTerm);
  });
});
