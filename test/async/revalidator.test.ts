/** When a state is read again, on a clock that the test moves. */
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Revalidator } from '../../src/platform/async/revalidator.js';
import { Topic } from '../../src/platform/async/topic.js';
import { ManualClock } from '../modules/manual-clock.js';

let clock: ManualClock;
let topic: Topic;
let isStopping: boolean;
let revalidator: Revalidator;
beforeEach(() => {
  clock = new ManualClock();
  topic = new Topic();
  isStopping = false;
  const limits = { recheckMs: 2000, staleMs: 5000, patienceMs: 60_000 };
  revalidator = new Revalidator({ ...limits, topic, clock, isStopping: () => isStopping });
});

const read = () => revalidator.read(async () => 'state');

/** Whether a wait that began now ends by `act`. */
async function endsBy(act: () => void, waiting = revalidator.wait()): Promise<boolean> {
  const ended = vi.fn();
  void waiting.then(ended);
  await turn();
  const before = ended.mock.calls.length;
  act();
  await turn();
  return before === 0 && ended.mock.calls.length === 1;
}

const fails = () => {
  throw new Error('away');
};

describe('Revalidator › when to read', () => {
  it('is due at the beginning, after the interval, and when the topic was invalidated', async () => {
    expect(revalidator.isDue).toBe(true);
    await read();
    expect(revalidator.isDue).toBe(false);
    clock.advance(1999);
    expect(revalidator.isDue).toBe(false);
    clock.advance(1);
    expect(revalidator.isDue).toBe(true);
    await read();
    topic.invalidate();
    expect(revalidator.isDue).toBe(true);
  });

  it('is due after a read during which the topic was invalidated', async () => {
    await revalidator.read(async () => topic.invalidate());
    expect(revalidator.isDue).toBe(true);
  });

  it('postpones a read, but not beyond the time when the state is stale', async () => {
    await read();
    for (let n = 0; n < 3; n += 1) {
      clock.advance(1500);
      expect(revalidator.isDue).toBe(false);
      revalidator.postpone();
    }
    clock.advance(500);
    expect(revalidator.isDue).toBe(true);
  });
});

describe('Revalidator › waits', () => {
  it('ends a wait by the interval, by the topic and by the close, and leaves no timer', async () => {
    for (const act of [() => clock.advance(2000), () => topic.wake(), () => topic.invalidate()]) {
      await read();
      expect(await endsBy(act)).toBe(true);
    }
    await read();
    expect(await endsBy(() => revalidator.close())).toBe(true);
    expect([clock.pendingTimers, topic.waiting]).toEqual([0, 0]);
  });

  it('does not wait for what has happened already', async () => {
    await read();
    topic.invalidate();
    await revalidator.wait();
  });

  it('rests until the last read is long enough ago, whatever the topic says', async () => {
    await revalidator.rest(100);
    await read();
    const resting = revalidator.rest(100);
    topic.invalidate();
    clock.advance(99);
    expect(await endsBy(() => clock.advance(1), resting)).toBe(true);
  });
});

describe('Revalidator › failing reads', () => {
  it('throws the error of the first read at once', async () => {
    await expect(revalidator.read(fails)).rejects.toThrow('away');
  });

  it('repeats later reads, and returns the state that one of them finds', async () => {
    await read();
    const attempt = vi.fn().mockImplementationOnce(fails).mockImplementationOnce(fails).mockReturnValue('found');
    const found = revalidator.read(async () => attempt());
    expect(
      await endsBy(
        () => clock.advance(2000),
        found.then(() => undefined),
      ),
    ).toBe(false);
    clock.advance(2000);
    expect(await found).toBe('found');
  });

  it('throws when repeating was in vain for long', async () => {
    await read();
    const found = expect(revalidator.read(async () => fails())).rejects.toThrow('away');
    for (let passedMs = 0; passedMs <= 60_000; passedMs += 2000) {
      await turn();
      clock.advance(2000);
    }
    await found;
  });

  it('returns null instead of repeating when the process stops or the revalidator is closed', async () => {
    await read();
    const stopped = revalidator.read(async () => fails());
    await turn();
    isStopping = true;
    topic.invalidate();
    expect(await stopped).toBeNull();
    isStopping = false;
    const closed = revalidator.read(async () => fails());
    await turn();
    revalidator.close();
    expect(await closed).toBeNull();
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('Revalidator › the end', () => {
  it('reads nothing after the close, and says so to a caller that asks whether to read', async () => {
    await read();
    revalidator.close();
    expect(revalidator.isDue).toBe(true);
    expect(await read()).toBeNull();
    await revalidator.wait();
  });

  it('reads once more while the process stops, and never waits', async () => {
    isStopping = true;
    expect(await read()).toBe('state');
    await revalidator.rest(100);
    await revalidator.sleep();
  });
});

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** Waiters that wait again whenever they were woken, as readers do. */
function audience(topic: Topic, size: number): { woken: number[] } {
  const woken = new Array<number>(size).fill(0);
  const wait = (index: number) => {
    topic.wait(() => {
      woken[index] = (woken[index] ?? 0) + 1;
      wait(index);
    });
  };
  for (let index = 0; index < size; index += 1) wait(index);
  return { woken };
}

const all = (size: number, times: number) => new Array<number>(size).fill(times);

it('wakes few waiters at each signal', () => {
  const topic = new Topic();
  const { woken } = audience(topic, 32);
  for (let signal = 0; signal < 5; signal += 1) topic.wake();
  expect(woken).toEqual(all(32, 5));
});

it('wakes many at the first signal, and once for all signals of the next 60 ms', () => {
  const topic = new Topic();
  const { woken } = audience(topic, 33);
  for (let signal = 0; signal < 5; signal += 1) topic.wake();
  expect(woken).toEqual(all(33, 1));
  vi.advanceTimersByTime(59);
  expect(woken).toEqual(all(33, 1));
  vi.advanceTimersByTime(1);
  expect(woken).toEqual(all(33, 2));
  // Nothing was said meanwhile.
  vi.advanceTimersByTime(120);
  expect(woken).toEqual(all(33, 2));
  topic.wake();
  expect(woken).toEqual(all(33, 3));
});

it('wakes many at once when what they follow has changed otherwise, and never loses the last signal', () => {
  const topic = new Topic();
  const { woken } = audience(topic, 100);
  topic.wake();
  topic.wake();
  topic.invalidate();
  expect(woken).toEqual(all(100, 2));
  topic.wake();
  vi.advanceTimersByTime(60);
  expect(woken).toEqual(all(100, 3));
  expect(topic.waiting).toBe(100);
});
