import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { TokenEntry } from '../../../../src/modules/tokens/log/attempt-text.js';
import type { TokenLog } from '../../../../src/modules/tokens/log/token-log.js';
import { systemClock } from '../../../../src/platform/async/clock.js';
import { modelLimitMs, modelRuns } from '../../model-runs.js';
import { isWellFormed, merged, textIn } from '../token-entries.js';
import { createLog, id, readAll, say } from './token-log-reading.js';

/** A log with the first attempt of a response. */
function begun(options?: Parameters<typeof createLog>[0]) {
  const created = createLog(options);
  created.log.open(id, 1, { threadId: 'thr_1', senderId: 'usr_1', acceptedMs: 0 });
  return created;
}

describe('token log', () => {
  it('has nothing for a position beyond its text, until the text is that long', () => {
    const { log } = begun();
    say(log, 1, 'abc');
    const reader = log.attach(id);
    expect(readAll(reader, { text: 5 })).toEqual([]);
    say(log, 1, 'defg');
    expect(textIn(readAll(reader, { text: 5 }))).toBe('fg');
  });

  it('gives missing thinking to a reader whose position counts text alone', () => {
    const { log } = begun();
    log.append(id, 1, { kind: 'thinking', text: 'hm' });
    say(log, 1, 'AB');
    expect(readAll(log.attach(id), { text: 1, thinkingToo: true })).toEqual([
      { kind: 'thinking', text: 'hm' },
      { kind: 'text', text: 'B' },
    ]);
  });

  it(
    'adds up to the whole text, for any reader at any time and from any position, in whole characters',
    () => {
      const entry = fc.record({
        kind: fc.constantFrom('text' as const, 'thinking' as const),
        text: fc.string({ unit: fc.constantFrom('a', '漢', '😀', 'long text '), maxLength: 300 }),
      });
      const step = fc.record({ entry, reads: fc.array(fc.nat({ max: 2 })), cutAt: fc.nat({ max: 300 }) });
      const sizes = fc.record({ maxBytes: fc.integer({ min: 6, max: 200 }), place: fc.nat() });
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), sizes, (steps, { maxBytes, place }) => {
          const { log } = begun();
          const readers = Array.from({ length: 3 }, () => ({ reader: log.attach(id), got: [] as TokenEntry[] }));
          const advance = ({ reader, got }: (typeof readers)[number]) => {
            const units = (kind: string) =>
              got.reduce((sum, one) => sum + (one.kind === kind ? one.text.length : 0), 0);
            const position = { text: units('text'), thinking: units('thinking') };
            got.push(...readAll(reader, { ...position, thinkingToo: true, maxBytes }));
          };
          for (const { entry: said, reads, cutAt } of steps) {
            log.append(id, 1, { kind: said.kind, text: said.text.slice(0, cutAt) });
            for (const index of reads) advance(readers[index] ?? expect.fail('no such reader'));
            log.append(id, 1, { kind: said.kind, text: said.text.slice(cutAt) });
            for (const index of reads) advance(readers[index] ?? expect.fail('no such reader'));
          }
          const said = merged(steps.map(({ entry: one }) => one));
          for (const reader of readers) {
            advance(reader);
            expect(merged(reader.got)).toEqual(said);
            expect(reader.got.every(({ text }) => isWellFormed(text) && Buffer.byteLength(text) <= maxBytes)).toBe(
              true,
            );
          }
          const whole = textIn(said);
          expect(textIn(readAll(log.attach(id), { maxBytes }))).toBe(whole);
          const atOnce = readAll(log.attach(id), { maxBytes: 1_000_000 });
          expect(atOnce, 'no thinking, and nothing in its place').toEqual(merged([{ kind: 'text', text: whole }]));
          const text = place % (whole.length + 1);
          const isInPair = !isWellFormed(whole.slice(text));
          expect(textIn(readAll(log.attach(id), { text, maxBytes }))).toBe(whole.slice(isInPair ? text - 1 : text));
        }),
        { numRuns: modelRuns },
      );
    },
    modelLimitMs,
  );
});

describe('token log, fence', () => {
  it('refuses a writer of an older or the same attempt', () => {
    const { log } = createLog();
    expect(log.open(id, 2)).toBe(true);
    expect(log.open(id, 2)).toBe(false);
    expect(log.open(id, 1)).toBe(false);
    expect(say(log, 1, 'zombie')).toEqual([false]);
    expect(say(log, 2, 'live')).toEqual([true]);
    expect(textIn(readAll(log.attach(id), { epoch: 2 }))).toBe('live');
  });

  it('drops the older attempt when a new one is opened, and tells its readers', () => {
    const { log } = begun();
    say(log, 1, 'old');
    const reader = log.attach(id);
    const before = reader.revision;
    const wake = vi.fn();
    reader.wait(wake);
    log.open(id, 2);
    say(log, 2, 'new');
    expect(wake).toHaveBeenCalledTimes(1);
    expect(reader.revision).not.toBe(before);
    expect(readAll(reader, { epoch: 1 })).toEqual([]);
    expect(textIn(readAll(reader, { epoch: 2 }))).toBe('new');
    expect(log.stats()).toMatchObject({ running: 1, ended: 0, bytes: 3 });
  });

  it('accepts nothing before the start or after the end', () => {
    const { log } = createLog();
    expect(say(log, 1, 'early')).toEqual([false]);
    log.open(id, 1);
    say(log, 1, 'text');
    log.end(id, 2);
    expect(say(log, 1, '!'), 'the end of another attempt ends nothing').toEqual([true]);
    log.end(id, 1);
    expect(say(log, 1, 'late')).toEqual([false]);
    expect(log.open(id, 1)).toBe(false);
    expect(textIn(readAll(log.attach(id)))).toBe('text!');
  });

  it('has the whole text of an attempt only after its end, and for its own readers', () => {
    const { log } = begun();
    say(log, 1, 'text');
    const reader = log.attach(id);
    const all = { epoch: 1, text: 4, thinking: 0 };
    expect(reader.hasWholeText(all)).toBe(false);
    log.end(id, 1);
    expect(reader.hasWholeText(all)).toBe(true);
    expect(reader.hasWholeText({ ...all, text: 3 })).toBe(false);
    expect(reader.hasWholeText({ ...all, text: 5 })).toBe(false);
    expect(reader.hasWholeText({ ...all, epoch: 2 })).toBe(false);
    log.open(id, 2);
    say(log, 2, 'half\ud83d');
    log.end(id, 2);
    expect(reader.hasWholeText({ ...all, epoch: 2 }), 'half a pair was never shown').toBe(false);
  });
});

describe('token log, readers', () => {
  it('wakes every waiting reader once for any number of entries', () => {
    const { log } = begun();
    const wakes = Array.from({ length: 1000 }, () => vi.fn());
    for (const wake of wakes) log.attach(id).wait(wake);
    const other = vi.fn();
    log.attach('msg_2').wait(other);
    say(log, 1, 'a', 'b', 'c');
    expect(wakes.every((wake) => wake.mock.calls.length === 1)).toBe(true);
    expect(other).not.toHaveBeenCalled();
    expect(log.stats()).toMatchObject({ readers: 1001, waiting: 1 });
  });

  it('sends readers to the row when invalidated, with or without a log, even those who wait later', () => {
    const { log } = createLog();
    const reader = log.attach(id);
    const wake = vi.fn();
    reader.wait(wake);
    const seen = [reader.revision];
    log.invalidate(id);
    seen.push(reader.revision);
    log.invalidateAll();
    seen.push(reader.revision);
    log.invalidate('msg_2');
    seen.push(reader.revision);
    expect(new Set(seen).size).toBe(3);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('keeps nothing of cancelled waits and of readers who left', () => {
    const { log } = begun();
    const wake = vi.fn();
    const reader = log.attach(id);
    for (let round = 0; round < 1000; round += 1) reader.wait(wake)();
    expect(log.stats()).toMatchObject({ readers: 1, waiting: 0 });
    reader.close();
    reader.close();
    expect(log.stats()).toMatchObject({ watched: 0, readers: 0, waiting: 0 });
    say(log, 1, 'text');
    expect(wake).not.toHaveBeenCalled();
  });

  it('uses memory for the text alone, however many readers stall', () => {
    const { log } = begun();
    const readers = Array.from({ length: 500 }, () => log.attach(id));
    say(log, 1, 'x'.repeat(1000));
    for (const reader of readers) reader.next({ epoch: 1, text: 0, thinking: 0 }, { thinking: true, maxBytes: 100 });
    say(log, 1, 'y'.repeat(1000));
    expect(log.stats()).toEqual({ running: 1, ended: 0, bytes: 2000, watched: 1, readers: 500, waiting: 0 });
  });
});

describe('token log, bounds', () => {
  it('accepts no text of a response beyond the limit, and no piece after a refused one', () => {
    const { log } = begun({ maxResponseBytes: 10 });
    expect(say(log, 1, '12345', '漢字', '6')).toEqual([true, false, false]);
    expect(log.append(id, 1, { kind: 'thinking', text: 'has its own room' })).toBe(false);
    expect(textIn(readAll(log.attach(id)))).toBe('12345');
    log.end(id, 1);
    expect(log.attach(id).hasWholeText({ epoch: 1, text: 5, thinking: 0 })).toBe(false);
  });

  it('limits thinking separately from the text', () => {
    const { log } = begun({ maxResponseBytes: 10 });
    expect(log.append(id, 1, { kind: 'thinking', text: '1234567890' })).toBe(true);
    expect(log.append(id, 1, { kind: 'thinking', text: '!' })).toBe(false);
    expect(say(log, 1, '1234567890')).toEqual([true]);
  });

  it('makes room by dropping ended logs, oldest first, then emptying the oldest running one', () => {
    const { log } = createLog({ maxTotalBytes: 100 });
    const fill = (responseId: string) => {
      log.open(responseId, 1);
      log.append(responseId, 1, { kind: 'text', text: 'x'.repeat(25) });
    };
    const held = (responseId: string) => textIn(readAll(log.attach(responseId))).length;
    for (const responseId of ['a', 'b', 'c', 'd']) fill(responseId);
    log.end('c', 1);
    log.end('b', 1);
    fill('e');
    expect(['a', 'b', 'c', 'd', 'e'].map(held)).toEqual([25, 25, 0, 25, 25]);
    fill('f');
    fill('g');
    expect(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(held)).toEqual([0, 0, 0, 25, 25, 25, 25]);
    expect(log.append('a', 1, { kind: 'text', text: 'more' }), 'an emptied log would have a gap').toBe(false);
    expect(log.open('a', 1), 'an emptied log still keeps its attempt out').toBe(false);
    log.end('a', 1);
    expect(log.attach('a').hasWholeText({ epoch: 1, text: 0, thinking: 0 })).toBe(false);
    expect(log.stats()).toMatchObject({ bytes: 100 });
  });

  it('keeps an ended log for its retention time, and longer if a new attempt begins', () => {
    const { log, clock } = begun({ keepEndedMs: 60_000 });
    say(log, 1, 'text');
    log.end(id, 1);
    clock.advance(59_999);
    expect(textIn(readAll(log.attach(id)))).toBe('text');
    log.open(id, 2);
    say(log, 2, 'new');
    clock.advance(60_000);
    expect(log.stats()).toMatchObject({ running: 1, bytes: 3 });
    log.end(id, 2);
    clock.advance(60_000);
    expect(log.stats()).toMatchObject({ running: 0, ended: 0, bytes: 0 });
    expect(clock.pendingTimers).toBe(0);
  });

  it('ends everything when it is closed', () => {
    const { log, clock } = begun();
    log.open('ended', 1);
    log.end('ended', 1);
    const wake = vi.fn();
    log.attach(id).wait(wake);
    log.close();
    expect(wake).toHaveBeenCalledTimes(1);
    expect(log.closed).toBe(true);
    expect(log.open(id, 2)).toBe(false);
    expect(say(log, 1, 'text')).toEqual([false]);
    expect(() => log.attach(id)).toThrow('closed');
    expect(log.stats()).toMatchObject({ running: 0, ended: 0, bytes: 0 });
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not keep the process alive', () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const cancel = systemClock.after(1000, () => expect.fail('the timer was cancelled'));
    const timer = timers.mock.results[0]?.value as NodeJS.Timeout;
    timers.mockRestore();
    expect(timer.hasRef()).toBe(false);
    cancel();
  });
});

const beginning = { threadId: 'thr_1', epoch: 1 };

describe('token log, an answer that begins', () => {
  it('is known to the sender of its message for a second', () => {
    const { log, clock } = begun();
    clock.advance(999);
    expect(log.beginningFor('usr_1', id)).toEqual(beginning);
    clock.advance(1);
    expect(log.beginningFor('usr_1', id)).toBeNull();
  });

  it('is not known to others, nor where another process generates it', () => {
    const { log } = begun();
    log.open('msg_2', 1);
    expect(log.beginningFor('usr_2', id)).toBeNull();
    expect(log.beginningFor('usr_1', 'msg_2')).toBeNull();
    expect(log.beginningFor('usr_1', 'msg_3')).toBeNull();
  });

  it.each<[string, (log: TokenLog) => void]>([
    ['its row has changed', (log) => log.invalidate(id)],
    ['changes may have been missed', (log) => log.invalidateAll()],
    ['its outcome is being stored', (log) => log.settling(id, 1)],
    ['it has ended', (log) => log.end(id, 1, true)],
    ['its thread was deleted or hidden', (log) => log.endAccess('thr_1')],
  ])('is no longer known once %s', (_what, change) => {
    const { log } = begun();
    change(log);
    expect(log.beginningFor('usr_1', id)).toBeNull();
  });

  it('stays known where another thread was deleted or hidden', () => {
    const { log } = begun();
    log.endAccess('thr_2');
    expect(log.beginningFor('usr_1', id)).toEqual(beginning);
  });
});
