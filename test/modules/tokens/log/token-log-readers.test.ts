import { describe, expect, it, vi } from 'vitest';
import { createLog, id, say } from './token-log-reading.js';

describe('token log, readers', () => {
  it('wakes every waiting reader once for any number of entries', () => {
    const { log } = createLog();
    log.open(id, 1);
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
    const { log } = createLog();
    log.open(id, 1);
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
    const { log } = createLog();
    log.open(id, 1);
    const readers = Array.from({ length: 500 }, () => log.attach(id));
    say(log, 1, 'x'.repeat(1000));
    for (const reader of readers) reader.next({ epoch: 1, text: 0, thinking: 0 }, { thinking: true, maxBytes: 100 });
    say(log, 1, 'y'.repeat(1000));
    expect(log.stats()).toEqual({ running: 1, ended: 0, bytes: 2000, watched: 1, readers: 500, waiting: 0 });
  });
});
