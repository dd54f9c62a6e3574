/** Who calls is found out in turns: by the user whom the same token named last, and by address where none is known. */
import { describe, expect, it } from 'vitest';
import { FairSemaphore } from '../../src/platform/fairness/fair-semaphore.js';
import type { Principal } from '../../src/platform/fairness/principal.js';
import { RequestSource } from '../../src/platform/rates/request-source.js';
import { KnownCallers } from '../../src/platform/server/known-callers.js';

const principals: Record<string, Principal> = {
  ada: { organizationId: 1, userId: 'ada' },
  eve: { organizationId: 2, userId: 'eve' },
};

function newCallers() {
  const turns = new FairSemaphore({ total: 1, perOrganization: 1, perUser: 1, waitingPerUser: 100 });
  const callers = new KnownCallers(turns);
  const found: string[] = [];
  /** Looks up who calls with the token of that name. */
  const call = (name: string, address = '203.0.113.1') => {
    const caller = {
      authorization: `Bearer ${name}`,
      source: new RequestSource(address),
      signal: new AbortController().signal,
    };
    return callers.inTurn(caller, async () => {
      found.push(name);
      return principals[name] ?? { organizationId: 3, userId: name };
    });
  };
  return { turns, found, call };
}

describe('identifying callers', () => {
  it('takes turns by known user, so that one caller is not behind a hundred of another user', async () => {
    const { turns, found, call } = newCallers();
    await Promise.all([call('ada'), call('eve')]);
    const release = await turns.acquire({ organizationId: 9, userId: 'somebody' });
    const calls = [...Array.from({ length: 100 }, () => call('eve')), call('ada')];
    release();
    await Promise.all(calls);
    expect(found.slice(2).indexOf('ada')).toBeLessThanOrEqual(1);
  });

  it('gives unknown callers one turn together, divided by their addresses', async () => {
    const { turns, found, call } = newCallers();
    await call('ada');
    const release = await turns.acquire({ organizationId: 9, userId: 'somebody' });
    const guesses = Array.from({ length: 50 }, (_, n) => call(`guess-${n}`, '198.51.100.7'));
    const calls = [...guesses, call('newcomer', '203.0.113.9'), call('ada')];
    release();
    await Promise.all(calls);
    expect(found.slice(1, 4)).toContain('ada');
    expect(found.slice(1, 5)).toContain('newcomer');
  });

  it('trusts no earlier result: each call is looked up', async () => {
    const { found, call } = newCallers();
    await call('ada');
    await call('ada');
    expect(found).toEqual(['ada', 'ada']);
  });

  it('knows ten thousand at most, and forgets those of longest ago', async () => {
    const { turns, found, call } = newCallers();
    await call('ada');
    for (let n = 0; n < 10_000; n += 1) await call(`user-${n}`);
    found.length = 0;
    const release = await turns.acquire({ organizationId: 9, userId: 'somebody' });
    const calls = ['guess-1', 'guess-2', 'guess-3', 'ada', 'user-9999'].map((name) => call(name));
    release();
    await Promise.all(calls);
    // Who is not known has one turn with the guesses.
    expect(found).toEqual(['guess-1', 'user-9999', 'guess-2', 'guess-3', 'ada']);
  });
});
