/** Who waits for a topic is woken once a signal; a crowd that could not keep up is woken once for several. */
import { beforeEach, expect, it, vi } from 'vitest';
import { Topic } from '../../src/platform/async/topic.js';

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
