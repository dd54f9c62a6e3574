/** What several share: users take turns, none passes a large request over, who leaves holds nobody up, and who is busy holds back. */
import { describe, expect, it } from 'vitest';
import { FairSemaphore, type Release } from '../../src/platform/fairness/fair-semaphore.js';
import type { Principal } from '../../src/platform/fairness/principal.js';
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

const people = {
  ada: { organizationId: 1, userId: 'ada' },
  bob: { organizationId: 1, userId: 'bob' },
  eve: { organizationId: 2, userId: 'eve' },
};
const { ada, eve } = people;

function newTurns() {
  const clock = new ManualClock();
  const shares = { total: 20, perOrganization: 16, perUser: 8, waitingPerUser: 100 };
  const turns = new FairSemaphore(shares, { holdsBack: true, clock });
  /** Begins and ends so many things, one after the other. */
  const doMany = async (principal: Principal, count: number) => {
    for (let n = 0; n < count; n += 1) (await turns.acquire(principal))();
  };
  /** Asks for so many turns at once, and tells which of them have been had. */
  const ask = async (principal: Principal, count: number) => {
    const had: (() => void)[] = [];
    for (let n = 0; n < count; n += 1) void turns.acquire(principal).then((release) => had.push(release));
    await settle();
    return had;
  };
  return { clock, doMany, ask };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

type Counts = Partial<Record<keyof typeof people, number>>;

/** What each did before, how many turns they ask for then, and how many of those they have at once. */
const cases: [name: string, before: Counts, asked: Counts, had: number[]][] = [
  ['one at a time for a busy user while another organization is active', { eve: 100, ada: 1 }, { eve: 8 }, [1]],
  ['one at a time for a busy user while a colleague is active', { bob: 100, ada: 1 }, { bob: 8 }, [1]],
  ['one at a time for a whole busy organization', { ada: 50, bob: 50, eve: 1 }, { ada: 4, bob: 4 }, [1, 0]],
  ['granted at once, up to the share, to a user who is alone', { eve: 100 }, { eve: 10 }, [8]],
  ['granted at once to an occasional user, whatever others do', { eve: 100 }, { ada: 8 }, [8]],
];

const each = (counts: Counts) => Object.entries(counts) as [keyof typeof people, number][];

describe('turns for work of the process', () => {
  it.each(cases)('are %s', async (_name, before, asked, expected) => {
    const { doMany, ask } = newTurns();
    for (const [name, count] of each(before)) await doMany(people[name], count);
    const had: number[] = [];
    for (const [name, count] of each(asked)) had.push((await ask(people[name], count)).length);
    expect(had).toEqual(expected);
  });

  it('are granted freely again when nobody else has been active for a tenth of a second', async () => {
    const { clock, doMany, ask } = newTurns();
    await doMany(eve, 200);
    await doMany(ada, 1);
    const had = await ask(eve, 8);
    expect(had).toHaveLength(1);
    had[0]?.();
    await settle();
    expect(had).toHaveLength(2);
    clock.advance(111);
    await settle();
    expect(had).toHaveLength(8);
  });

  it('are not withheld from a user whose long-running work only waits', async () => {
    const { clock, doMany, ask } = newTurns();
    await doMany(eve, 1000);
    const waiting = await ask(eve, 1);
    clock.advance(501);
    await doMany(ada, 1);
    expect(waiting).toHaveLength(1);
    expect(await ask(eve, 1)).toHaveLength(1);
  });
});
