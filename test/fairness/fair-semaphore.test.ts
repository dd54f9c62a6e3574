/** What ten share: users take turns, none passes a large request over, and who leaves holds nobody up. */
import { describe, expect, it } from 'vitest';
import { FairSemaphore, type Release } from '../../src/platform/fairness/fair-semaphore.js';
import { ManualClock } from '../modules/manual-clock.js';

/** Asks for amounts under the name of a user, and notes what is granted, in order. */
function queueAt(semaphore: FairSemaphore) {
  const granted: string[] = [];
  const releases = new Map<string, Release>();
  const ask = (name: string, amount: number, options: { signal?: AbortSignal } = {}) =>
    semaphore.acquire({ organizationId: 1, userId: name.charAt(0) }, { amount, ...options }).then((release) => {
      granted.push(name);
      releases.set(name, release);
    });
  const release = async (name: string, keep?: number) => {
    releases.get(name)?.(keep);
    await new Promise(setImmediate);
  };
  return { granted, ask, release };
}

const sharedByAll = { total: 10, perOrganization: Infinity, perUser: Infinity, waitingPerUser: 3 };

describe('a fair semaphore of 10', () => {
  it('grants in turns by user, in any order of arrival', async () => {
    const { granted, ask, release } = queueAt(new FairSemaphore(sharedByAll));
    await ask('a1', 10);
    for (const name of ['a2', 'a3', 'a4', 'b1', 'c1']) void ask(name, 10);
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await release(name);
    expect(granted).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  it('does not pass over a large request for small ones that would fit', async () => {
    const semaphore = new FairSemaphore(sharedByAll);
    const { granted, ask, release } = queueAt(semaphore);
    await ask('a1', 6);
    void ask('b1', 6);
    void ask('c1', 1);
    expect(semaphore.tryAcquire({ organizationId: 1, userId: 'd' }, 1)).toBeNull();
    await release('nobody');
    expect(granted).toEqual(['a1']);
    await release('a1');
    expect([granted, semaphore.used]).toEqual([['a1', 'b1', 'c1'], 7]);
  });

  it('skips users whose own share is taken', async () => {
    const { granted, ask, release } = queueAt(new FairSemaphore({ ...sharedByAll, perUser: 5 }));
    await ask('a1', 5);
    void ask('a2', 1);
    await ask('b1', 5);
    await release('b1');
    expect(granted).toEqual(['a1', 'b1']);
    await release('a1', 2);
    expect(granted).toEqual(['a1', 'b1', 'a2']);
  });

  it('grants its whole size to a larger request, and takes each part back once', async () => {
    const semaphore = new FairSemaphore(sharedByAll);
    const { granted, ask, release } = queueAt(semaphore);
    await ask('a1', 1000);
    void ask('b1', 4);
    await release('a1', 7);
    expect([granted, semaphore.used]).toEqual([['a1'], 7]);
    await release('a1', 9);
    await release('a1', 6);
    expect([granted, semaphore.used]).toEqual([['a1', 'b1'], 10]);
    await release('a1');
    await release('a1');
    expect(semaphore.used).toBe(4);
  });

  it('forgets who leaves the queue, and goes on without them', async () => {
    const { granted, ask } = queueAt(new FairSemaphore(sharedByAll));
    const leaving = new AbortController();
    await ask('a1', 9);
    const left = ask('b1', 9, { signal: leaving.signal });
    void ask('c1', 1);
    leaving.abort(new Error('stopped'));
    await expect(left).rejects.toThrow('stopped');
    expect(granted).toEqual(['a1', 'c1']);
    await expect(ask('d1', 1, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  });

  it('refuses a user with too much waiting', async () => {
    const { ask } = queueAt(new FairSemaphore(sharedByAll));
    await ask('a1', 10);
    for (const name of ['a2', 'a3', 'a4']) void ask(name, 10);
    await expect(ask('a5', 1)).rejects.toThrow('The queue is full.');
  });

  it('refuses who has waited too long, and goes on without them', async () => {
    const clock = new ManualClock();
    const { granted, ask, release } = queueAt(new FairSemaphore(sharedByAll, { waitMs: 100, clock }));
    await ask('a1', 9);
    const late = ask('b1', 9);
    clock.advance(60);
    void ask('c1', 1);
    clock.advance(40);
    await expect(late).rejects.toThrow('It took too long.');
    expect(granted).toEqual(['a1', 'c1']);
    void ask('d1', 9);
    await release('a1');
    clock.advance(1000);
    expect(granted).toEqual(['a1', 'c1', 'd1']);
  });

  it('says the same to all whom it refuses', async () => {
    const clock = new ManualClock();
    const refusal = () => new Error('Come back later.');
    const { ask } = queueAt(new FairSemaphore(sharedByAll, { waitMs: 100, refusal, clock }));
    const leaving = new AbortController();
    await ask('a1', 10);
    const waiting = [ask('a2', 1), ask('a3', 1), ask('a4', 1, { signal: leaving.signal })];
    waiting.push(ask('a5', 1), ask('b1', 1, { signal: AbortSignal.abort() }));
    leaving.abort();
    clock.advance(100);
    const refused = await Promise.allSettled(waiting);
    expect(refused).toEqual(waiting.map(() => ({ status: 'rejected', reason: refusal() })));
  });
});
