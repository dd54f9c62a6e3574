import { describe, expect, it, vi } from 'vitest';
import { textIn } from '../token-entries.js';
import { createLog, id, readAll, say } from './token-log-reading.js';

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
    const { log } = createLog();
    log.open(id, 1);
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
    const { log } = createLog();
    log.open(id, 1);
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
