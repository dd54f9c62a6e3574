/** Text leaves the process only where another one listens, and then all of it, from its beginning. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeferredWriter } from '../../../src/modules/tokens/deferred-writer.js';
import type { TokenEntry } from '../../../src/modules/tokens/log/attempt-text.js';
import { TokenLog } from '../../../src/modules/tokens/log/token-log.js';
import { propertyRuns } from '../../support/case-counts.js';
import { ManualClock } from '../manual-clock.js';
import { readAll } from './log/token-log-reading.js';
import { merged } from './token-entries.js';

const text = (said: string): TokenEntry => ({ kind: 'text', text: said });

/** A worker that writes to its log and, deferred, to the log of another process. */
function worker() {
  const [here, there] = [new TokenLog(), new TokenLog()];
  const clock = new ManualClock();
  const errors: unknown[] = [];
  let asked = 0;
  let listen: () => Promise<boolean> = () => Promise.resolve(false);
  const deferred = new DeferredWriter({
    remote: there,
    find: (responseId) => here.find(responseId),
    othersListen: () => {
      asked += 1;
      return listen();
    },
    onError: (error) => errors.push(error),
    clock,
  });
  return {
    deferred,
    clock,
    errors,
    asked: () => asked,
    answer: (next: () => Promise<boolean>) => {
      listen = next;
    },
    open: (epoch: number) => here.open('msg_1', epoch) && deferred.open('msg_1', epoch),
    append: (epoch: number, entry: TokenEntry) =>
      here.append('msg_1', epoch, entry) && deferred.append('msg_1', epoch, entry),
    end: (epoch: number) => {
      here.end('msg_1', epoch);
      deferred.end('msg_1', epoch);
    },
    sent: (epoch: number) => readAll(there.attach('msg_1'), { epoch, thinkingToo: true }),
    isOpenThere: () => there.find('msg_1') !== undefined,
  };
}

async function alone() {
  const here = worker();
  await here.deferred.look();
  return here;
}

describe('text of a process that is alone', () => {
  it('is not sent', async () => {
    const here = await alone();
    here.open(1);
    here.append(1, text('Hello'));
    here.end(1);
    await here.deferred.look();
    expect(here.isOpenThere()).toBe(false);
  });

  it('is sent whole to whoever begins to listen, as is what follows', async () => {
    const here = await alone();
    here.open(1);
    here.append(1, { kind: 'thinking', text: 'Hm. ' });
    here.append(1, text('Hel'));
    here.answer(() => Promise.resolve(true));
    await here.deferred.look();
    here.append(1, text('lo'));
    expect(merged(here.sent(1))).toEqual([{ kind: 'thinking', text: 'Hm. ' }, text('Hello')]);
  });

  it('is sent at once to a process that says that it listens, without asking', async () => {
    const here = await alone();
    here.open(1);
    here.append(1, text('Hello'));
    here.deferred.hear();
    expect([here.sent(1), here.asked()]).toEqual([[text('Hello')], 1]);
  });

  it('is not sent for an attempt that ended or was replaced before anybody listened', async () => {
    const here = await alone();
    here.open(1);
    here.append(1, text('old'));
    here.open(2);
    here.append(2, text('new'));
    here.append(1, text('late'));
    here.end(1);
    here.answer(() => Promise.resolve(true));
    await here.deferred.look();
    expect([here.sent(1), here.sent(2)]).toEqual([[], [text('new')]]);
  });

  it('waits where it is not known who listens', async () => {
    const here = await alone();
    here.open(1);
    here.append(1, text('Hello'));
    here.answer(() => Promise.reject(new Error('no connection')));
    await here.deferred.look();
    expect([here.isOpenThere(), here.errors.map(String)]).toEqual([false, ['Error: no connection']]);
    here.answer(() => Promise.resolve(true));
    await here.deferred.look();
    expect(here.sent(1)).toEqual([text('Hello')]);
  });
});

describe('who listens', () => {
  it('counts as somebody before it was asked', () => {
    const here = worker();
    here.open(1);
    here.append(1, text('Hello'));
    expect(here.sent(1)).toEqual([text('Hello')]);
  });

  it('is asked at most once a second, when a response begins', async () => {
    const here = await alone();
    for (const epoch of [1, 2, 3]) here.open(epoch);
    expect(here.asked()).toBe(1);
    here.clock.advance(1000);
    here.answer(() => Promise.resolve(true));
    here.open(4);
    here.append(4, text('Hello'));
    expect(here.asked()).toBe(2);
    await expect.poll(() => here.sent(4)).toEqual([text('Hello')]);
  });
});

it('whoever comes at any moment, what was sent is what was said', async () => {
  const entry = fc.record({
    kind: fc.constantFrom('text' as const, 'thinking' as const),
    text: fc.constantFrom('a', 'word ', '漢字', '😀', 'long '.repeat(80_000)),
  });
  const runs = fc.asyncProperty(fc.array(entry, { maxLength: 12 }), fc.nat(12), async (entries, comesAfter) => {
    const here = await alone();
    here.open(1);
    for (const [index, said] of entries.entries()) {
      if (index === comesAfter) {
        here.answer(() => Promise.resolve(true));
        await here.deferred.look();
      }
      here.append(1, said);
    }
    here.answer(() => Promise.resolve(true));
    await here.deferred.look();
    // The log keeps a mebibyte of each kind, and refuses what is beyond it.
    const bytes = { text: 0, thinking: 0 };
    const full = { text: false, thinking: false };
    const kept = entries.filter(({ kind, text: said }) => {
      full[kind] ||= bytes[kind] + Buffer.byteLength(said) > 1024 * 1024;
      if (!full[kind]) bytes[kind] += Buffer.byteLength(said);
      return !full[kind];
    });
    expect(merged(here.sent(1))).toEqual(merged(kept));
  });
  await fc.assert(runs, { numRuns: propertyRuns(200) });
});
