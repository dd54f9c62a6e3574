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
    end: async ({ graceMs, status }) => void did.push(`end within ${graceMs} with ${status}`),
    exit: (status) => void did.push(`exit ${status}`),
    nowMs: () => nowMs,
  });
  for (const [signal, atMs] of sent) {
    nowMs = atMs;
    signals.emit(signal, signal);
  }
  return did;
}

describe('a signal', () => {
  it.each(['SIGTERM', 'SIGINT'])('%s lets running responses finish', (signal) => {
    expect(afterSignals([signal, 1000])).toEqual(['end within 25000 with 0']);
  });

  it('that comes a second time ends the process at once', () => {
    expect(afterSignals(['SIGINT', 1000], ['SIGINT', 1500])).toEqual(['end within 25000 with 0', 'exit 1']);
  });

  it('of another kind ends the process at once, however soon it comes', () => {
    expect(afterSignals(['SIGTERM', 1000], ['SIGINT', 1001])).toEqual(['end within 25000 with 0', 'exit 1']);
  });

  it('that npm passes on a moment later counts as the same one', () => {
    expect(afterSignals(['SIGTERM', 1000], ['SIGTERM', 1004], ['SIGTERM', 1499])).toEqual(['end within 25000 with 0']);
  });
});
