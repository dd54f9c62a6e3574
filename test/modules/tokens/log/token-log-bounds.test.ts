import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../src/platform/async/clock.js';
import { textIn } from '../token-entries.js';
import { createLog, id, readAll, say } from './token-log-reading.js';

describe('token log, bounds', () => {
  it('accepts no text of a response beyond the limit, and no piece after a refused one', () => {
    const { log } = createLog({ maxResponseBytes: 10 });
    log.open(id, 1);
    expect(say(log, 1, '12345', '漢字', '6')).toEqual([true, false, false]);
    expect(log.append(id, 1, { kind: 'thinking', text: 'has its own room' })).toBe(false);
    expect(textIn(readAll(log.attach(id)))).toBe('12345');
    log.end(id, 1);
    expect(log.attach(id).hasWholeText({ epoch: 1, text: 5, thinking: 0 })).toBe(false);
  });

  it('limits thinking separately from the text', () => {
    const { log } = createLog({ maxResponseBytes: 10 });
    log.open(id, 1);
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
    const { log, clock } = createLog({ keepEndedMs: 60_000 });
    log.open(id, 1);
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
    const { log, clock } = createLog();
    log.open(id, 1);
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
