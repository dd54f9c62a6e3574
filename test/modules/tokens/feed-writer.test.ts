/** What is sent to other processes: all of the text and no more, whatever becomes of it on the way, and only if one listens. */
import fc from 'fast-check';
import { pino } from 'pino';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { encodeEntries, type FeedEntry } from '../../../src/modules/tokens/feed/feed-entry.js';
import { FeedFailures } from '../../../src/modules/tokens/feed/feed-failures.js';
import { FeedReader } from '../../../src/modules/tokens/feed/feed-reader.js';
import type { FeedStore, Outcome, Progress } from '../../../src/modules/tokens/feed/feed-store.js';
import { FeedWriter } from '../../../src/modules/tokens/feed/feed-writer.js';
import type { Batch } from '../../../src/modules/tokens/feed/outgoing-attempt.js';
import type { TokenEntry } from '../../../src/modules/tokens/log/attempt-text.js';
import { TokenLog } from '../../../src/modules/tokens/log/token-log.js';
import { propertyRuns } from '../../support/case-counts.js';
import { readAll } from './log/token-log-reading.js';
import { merged } from './token-entries.js';

type Fault = 'refuses' | 'does not answer' | 'is emptied';

/** A store in memory, of either kind: one that takes no entry twice, as PostgreSQL, or one that may be emptied, as Redis. */
class MemoryStore implements FeedStore {
  readonly takesRepeats: boolean;
  /** What happens to the next batches. */
  readonly faults: Fault[] = [];
  announce: (entries: readonly FeedEntry[]) => void = () => undefined;
  #entries: FeedEntry[] = [];

  constructor(takesRepeats: boolean) {
    this.takesRepeats = takesRepeats;
  }

  async send(batches: readonly Batch[]): Promise<Outcome[]> {
    const fault = this.faults.shift();
    if (fault === 'refuses') throw new Error(fault);
    if (fault === 'is emptied' && !this.takesRepeats) this.#entries = [];
    const outcomes = batches.map((batch) => this.#add(batch));
    this.announce(batches.flatMap(({ entries }) => entries));
    if (fault === 'does not answer') throw new Error(fault);
    return outcomes;
  }

  async read(_responseId: string, { epoch, next }: Progress): Promise<FeedEntry[]> {
    return this.#entries.filter((entry) => entry.epoch > epoch || (entry.epoch === epoch && entry.seq >= next));
  }

  #add({ entries, stored }: Batch): Outcome {
    for (const entry of entries) {
      if (entry.isFirst) this.#entries = [];
      const isKnown = this.#entries.some(({ epoch, seq }) => epoch === entry.epoch && seq === entry.seq);
      if (!isKnown && (this.takesRepeats || entry.isFirst || this.#entries.length > 0)) this.#entries.push(entry);
    }
    return this.takesRepeats || this.#entries.length === stored ? 'stored' : 'lost';
  }
}

const it = test.extend('here', () => alone());

const text = (said: string): TokenEntry => ({ kind: 'text', text: said });

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** A worker that writes to its log and sends to another process, which follows the response. */
function worker(store = new MemoryStore(true)) {
  const lines: string[] = [];
  const failures = new FeedFailures(pino({}, { write: (line) => lines.push(line) }), 'The store');
  const here = new TokenLog();
  const there: TokenLog = new TokenLog({
    followers: { follow: (id) => reader.follow(id), unfollow: (id) => reader.unfollow(id) },
  });
  const reader = new FeedReader({ store, log: there, failures, node: 'there', isDeferred: () => false });
  store.announce = (entries) => {
    for (const announcement of encodeEntries('here', entries)) reader.receive(announcement);
  };
  let listen: () => Promise<boolean> = () => Promise.resolve(false);
  const othersListen = vi.fn(() => listen());
  const writer = new FeedWriter({ store, failures, find: (id) => here.find(id), othersListen });
  return {
    writer,
    lines,
    store,
    asked: () => othersListen.mock.calls.length,
    answer: (next: () => Promise<boolean>) => {
      listen = next;
    },
    open: (epoch: number) => here.open('msg_1', epoch) && writer.open('msg_1', epoch),
    append: (epoch: number, entry: TokenEntry) => here.append('msg_1', epoch, entry) && writer.append('msg_1', epoch),
    end: (epoch: number) => {
      here.end('msg_1', epoch);
      writer.end('msg_1', epoch);
    },
    attach: () => there.attach('msg_1'),
    /** Lets pass what a flush takes, or a failure. */
    pass: () => vi.advanceTimersByTimeAsync(1_000),
    sent: async (epoch: number) => {
      const viewer = there.attach('msg_1');
      await vi.advanceTimersByTimeAsync(10_000);
      const all = merged(readAll(viewer, { epoch, thinkingToo: true }));
      viewer.close();
      return all;
    },
  };
}

async function alone() {
  const here = worker();
  await here.writer.look();
  return here;
}

describe('text of a process that is alone', () => {
  it('is not sent', async ({ here }) => {
    here.open(1);
    here.append(1, text('Hello'));
    expect(here.writer.isDeferred('msg_1')).toBe(true);
    here.end(1);
    await here.writer.look();
    expect(await here.sent(1)).toEqual([]);
  });

  it('is sent at once to a process that says that it listens, without asking', async ({ here }) => {
    here.open(1);
    here.append(1, text('Hello'));
    here.writer.hear();
    expect([await here.sent(1), here.asked()]).toEqual([[text('Hello')], 1]);
  });

  it('is not sent for an attempt that ended or was replaced before anybody listened', async ({ here }) => {
    here.open(1);
    here.append(1, text('old'));
    here.open(2);
    here.append(2, text('new'));
    here.append(1, text('late'));
    here.end(1);
    here.answer(() => Promise.resolve(true));
    await here.writer.look();
    expect([await here.sent(1), await here.sent(2)]).toEqual([[], [text('new')]]);
  });

  it('waits where it is not known who listens', async ({ here }) => {
    here.open(1);
    here.append(1, text('Hello'));
    here.answer(() => Promise.reject(new Error('no connection')));
    await here.writer.look();
    expect(here.lines).toEqual([expect.stringContaining('no connection')]);
    expect(await here.sent(1)).toEqual([]);
    here.answer(() => Promise.resolve(true));
    await here.writer.look();
    expect(await here.sent(1)).toEqual([text('Hello')]);
  });
});

describe('who listens', () => {
  it('counts as somebody before it was asked', async () => {
    const here = worker();
    here.open(1);
    here.append(1, text('Hello'));
    expect(await here.sent(1)).toEqual([text('Hello')]);
  });

  it('is asked at most once a second, when a response begins', async ({ here }) => {
    for (const epoch of [1, 2, 3]) here.open(epoch);
    expect(here.asked()).toBe(1);
    await here.pass();
    here.answer(() => Promise.resolve(true));
    here.open(4);
    here.append(4, text('Hello'));
    expect(here.asked()).toBe(2);
    expect(await here.sent(4)).toEqual([text('Hello')]);
  });
});

const said = fc.record({
  kind: fc.constantFrom('text' as const, 'thinking' as const),
  text: fc.constantFrom('a', 'word ', '漢字', '😀', 'long '.repeat(20_000)),
});
const step = fc.oneof(
  { weight: 6, arbitrary: said },
  { weight: 4, arbitrary: fc.constantFrom('pass' as const, 'listen' as const) },
  { weight: 3, arbitrary: fc.constantFrom<Fault>('refuses', 'does not answer', 'is emptied') },
);

describe.each([true, false])('a store that takes repeats: %s', (takesRepeats) => {
  it('whoever comes at any moment, and whatever fails, what is seen is what was said', async () => {
    const runs = fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const here = worker(new MemoryStore(takesRepeats));
      if (takesRepeats) await here.writer.look();
      here.open(1);
      const viewer = here.attach();
      const entries: TokenEntry[] = [];
      for (const next of steps) {
        if (next === 'pass') await here.pass();
        else if (next === 'listen') here.writer.hear();
        else if (typeof next === 'string') here.store.faults.push(next);
        else {
          entries.push(next);
          here.append(1, next);
        }
      }
      here.writer.hear();
      await here.pass();
      here.append(1, text('the end'));
      const all = merged([...entries, text('the end')]);
      expect(await here.sent(1)).toEqual(all);
      expect(merged(readAll(viewer, { epoch: 1, thinkingToo: true }))).toEqual(all);
      await here.writer.close();
    });
    await fc.assert(runs, { numRuns: propertyRuns(2_000) });
  });
});
