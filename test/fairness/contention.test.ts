/** Who is busy holds back while somebody else is there; who is alone, asks seldom or only waits does not. */
import { describe, expect, it } from 'vitest';
import { FairSemaphore } from '../../src/platform/fairness/fair-semaphore.js';
import type { Principal } from '../../src/platform/fairness/principal.js';
import { ManualClock } from '../modules/manual-clock.js';

const [ada, bob] = [
  { organizationId: 1, userId: 'ada' },
  { organizationId: 1, userId: 'bob' },
] as const;
const eve: Principal = { organizationId: 2, userId: 'eve' };

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
  return { clock, turns, doMany, ask };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('turns for work of the process', () => {
  it('are one at a time for a busy user while somebody of another organization is active', async () => {
    const { doMany, ask } = newTurns();
    await doMany(eve, 100);
    await doMany(ada, 1);
    const had = await ask(eve, 8);
    expect(had).toHaveLength(1);
    had[0]?.();
    await settle();
    expect(had).toHaveLength(2);
  });

  it('are one at a time for a busy user while a colleague is active', async () => {
    const { doMany, ask } = newTurns();
    await doMany(bob, 100);
    await doMany(ada, 1);
    expect(await ask(bob, 8)).toHaveLength(1);
  });

  it('are one at a time for all users of a busy organization together', async () => {
    const { doMany, ask } = newTurns();
    await doMany(ada, 50);
    await doMany(bob, 50);
    await doMany(eve, 1);
    expect(await ask(ada, 4)).toHaveLength(1);
    expect(await ask(bob, 4)).toHaveLength(0);
  });

  it('are granted at once, up to the share, to a user who is alone', async () => {
    const { doMany, ask } = newTurns();
    await doMany(eve, 100);
    expect(await ask(eve, 10)).toHaveLength(8);
  });

  it('are granted at once to an occasional user, whatever others do', async () => {
    const { doMany, ask } = newTurns();
    await doMany(eve, 100);
    expect(await ask(ada, 8)).toHaveLength(8);
  });

  it('are granted freely again when nobody else has been active for a tenth of a second', async () => {
    const { clock, doMany, ask } = newTurns();
    await doMany(eve, 200);
    await doMany(ada, 1);
    const had = await ask(eve, 8);
    expect(had).toHaveLength(1);
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
