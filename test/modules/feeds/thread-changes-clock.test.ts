/** Followers of threads on a clock that a test moves: how often they read, what they keep, and that they can always leave. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { ChangeSignals } from '../../../src/modules/feeds/change-signals.js';
import { followThread } from '../../../src/modules/feeds/follow-thread.js';
import { followThreads, type ThreadsChange } from '../../../src/modules/feeds/follow-threads.js';
import type { ChangePage } from '../../../src/modules/feeds/read-changes.js';
import { onAbort } from '../../../src/platform/async/cancellable-stream.js';
import type { Principal } from '../../../src/platform/fairness/principal.js';
import { ManualClock } from '../manual-clock.js';

const it = test.extend('world', () => new World());

type Row = { id: string; version: number };

/** An organization in which each read finds so many changed threads, and the followers of its feed. */
class World {
  readonly clock = new ManualClock();
  readonly signals = new ChangeSignals(this.clock);
  reads = 0;
  #users = 0;
  changed = 1;
  isLast = true;
  failure: Error | null = null;

  follow(
    signal = new AbortController().signal,
    principal: Principal = { organizationId: 1, userId: `usr_${this.#users++}` },
  ): AsyncIterableIterator<ThreadsChange<Row>, void, void> {
    return followThreads<Row>({
      signals: this.signals,
      principal,
      topic: '1',
      after: { history: 'h', since: '1:1:', pagination: null },
      read: async () => this.#read(),
      load: async (ids) => ids.map((id) => ({ id, version: this.reads })),
      endings: [onAbort(signal)],
    });
  }

  #read(): ChangePage {
    this.reads += 1;
    if (this.failure) throw this.failure;
    const position = (n: number) => ({ history: 'h', since: `${this.reads}:${this.reads}:${n}`, pagination: null });
    const changes = Array.from({ length: this.changed }, (_, n) => ({
      threadId: `t${n}`,
      isVisible: true,
      cursor: position(n),
    }));
    return { changes, next: changes.at(-1)?.cursor ?? position(0), isLast: this.isLast };
  }

  /** Moves the clock in small steps, with a signal in each when wanted, and lets everybody work in between. */
  async pass(durationMs: number, { signalled = false } = {}): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 5) {
      if (signalled) this.signals.receive('1 thr_x');
      this.clock.advance(5);
      await turn();
    }
  }
}

async function drain(feed: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of feed);
}

describe('the feed of changed threads', () => {
  it('reads at most 200 times a second for 500 followers, and at most ten times for one', async () => {
    for (const [followers, most, least] of [
      [500, 200, 150],
      [1, 11, 8],
    ] as const) {
      const world = new World();
      for (let n = 0; n < followers; n += 1) void drain(world.follow());
      await world.pass(3000, { signalled: true });
      const before = world.reads;
      await world.pass(1000, { signalled: true });
      expect(world.reads - before).toBeLessThanOrEqual(most);
      expect(world.reads - before).toBeGreaterThanOrEqual(least);
    }
  });

  it('lets the first follower of somebody else read next, however many followers of one user wait', async () => {
    const world = new World();
    const greedy = { organizationId: 1, userId: 'usr_greedy' };
    for (let n = 0; n < 990; n += 1) void drain(world.follow(undefined, greedy));
    await world.pass(500, { signalled: true });
    for (const principal of [
      { organizationId: 2, userId: 'usr_other' },
      { organizationId: 1, userId: 'usr_colleague' },
    ]) {
      const feed = world.follow(undefined, principal);
      const first = feed.next();
      const seen = vi.fn();
      void first.then(seen);
      await world.pass(15, { signalled: true });
      expect(seen, `the first event of ${principal.userId} within 15 ms`).toHaveBeenCalled();
    }
  });

  it('gives one user at most half of the reads, so that the rest is left for others', async ({ world }) => {
    for (let n = 0; n < 500; n += 1) void drain(world.follow(undefined, { organizationId: 1, userId: 'usr_greedy' }));
    await world.pass(2000, { signalled: true });
    expect(world.reads, 'of all that begin, and those that have caught up').toBeLessThanOrEqual(400);
    await world.pass(4000, { signalled: true });
    const before = world.reads;
    await world.pass(1000, { signalled: true });
    expect(world.reads - before).toBeLessThanOrEqual(100);
    expect(world.reads - before).toBeGreaterThanOrEqual(75);
  });

  it('reads at once for a follower that has caught up, however many are behind', async ({ world }) => {
    world.changed = 0;
    const feed = world.follow();
    expect((await feed.next()).value).toMatchObject({ type: 'caughtUp' });
    world.changed = 100;
    world.isLast = false;
    for (let n = 0; n < 40; n += 1) void drain(world.follow());
    await world.pass(3000);
    expect(world.reads).toBeLessThanOrEqual(1 + 8 * Math.ceil(3000 / 440));
    const seen = vi.fn();
    void feed.next().then(seen);
    await world.pass(15, { signalled: true });
    expect(seen, 'an event within 15 ms').toHaveBeenCalled();
  });

  it('reads nothing, and keeps nothing, for a follower who does not pull', async ({ world }) => {
    const feed = world.follow();
    expect((await feed.next()).value).toMatchObject({ type: 'upserted' });
    await world.pass(60_000, { signalled: true });
    expect(world.reads).toBe(1);
    expect(world.clock.pendingTimers).toBe(0);
    await feed.return?.();
  });

  it('rereads for a slow follower instead of showing outdated changes', async ({ world }) => {
    world.changed = 100;
    const feed = world.follow();
    const versions: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { value } = await feed.next();
      if (value?.type === 'upserted') versions.push(value.thread.version);
      await world.pass(600);
    }
    expect(versions).toEqual([1, 1, 2, 2, 3]);
    await feed.return?.();
  });

  it('checks without a signal after ten seconds, since signals may get lost', async ({ world }) => {
    world.changed = 0;
    void drain(world.follow());
    await world.pass(9_900);
    expect(world.reads).toBe(1);
    await world.pass(200);
    expect(world.reads).toBe(2);
  });

  it('makes a follower wait while the database is away, and fails only after a minute', async ({ world }) => {
    world.changed = 0;
    const feed = world.follow();
    expect((await feed.next()).value).toMatchObject({ type: 'caughtUp' });
    const next = feed.next();
    world.failure = new Error('away');
    await world.pass(50_000, { signalled: true });
    world.failure = null;
    world.changed = 1;
    await world.pass(3_000);
    expect((await next).value).toMatchObject({ type: 'upserted' });
    world.failure = new Error('away for good');
    const failed = expect(feed.next()).rejects.toThrow('away for good');
    await world.pass(75_000, { signalled: true });
    await failed;
    expect(world.signals.stats()).toEqual({ followers: 0, topics: 0 });
  });

  it.each(['return', 'abort', 'close'] as const)('lets a follower go at once who waits, by %s', async (how) => {
    const world = new World();
    world.changed = 0;
    const abort = new AbortController();
    const feed = world.follow(abort.signal);
    await feed.next();
    const parked = feed.next();
    // The place of the last read is free again.
    await world.pass(50);
    if (how === 'return') await feed.return?.();
    if (how === 'abort') abort.abort();
    if (how === 'close') world.signals.close();
    expect(await parked).toEqual({ done: true, value: undefined });
    expect(world.signals.stats()).toEqual({ followers: 0, topics: 0 });
    expect(world.clock.pendingTimers).toBe(0);
  });
});

it('one changed thread comes once for each version that is read, the last one always', async () => {
  const clock = new ManualClock();
  const signals = new ChangeSignals(clock);
  let version = 1;
  const thread = followThread({
    signals,
    principal: { organizationId: 1, userId: 'usr_x' },
    topic: 'thr_x',
    readVersion: async () => String(version),
    load: async () => ({ version: String(version), thread: version }),
    endings: [],
  });
  expect((await thread.next()).value).toBe(1);
  const next = thread.next();
  for (; version < 40; version += 1) signals.receive('1 thr_x');
  clock.advance(100);
  expect((await next).value).toBe(40);
  const after = thread.next();
  await turn();
  signals.receive('1 thr_x');
  await turn();
  clock.advance(100);
  await turn();
  await thread.return?.();
  expect(await after, 'a signal without a change').toEqual({ done: true, value: undefined });
});
