/**
 * A server that was frozen carries out what had reached it before, although whoever asked has given up meanwhile and every
 * lease has run out. Nothing may be taken by such a statement: nobody would know that it has it.
 */
import { describe, expect, onTestFinished, vi } from 'vitest';
import { claim } from '../../src/modules/responses/protocol/claim.js';
import { databaseTimeMs } from '../../src/modules/responses/protocol/claimed-response.js';
import { reclaim } from '../../src/modules/responses/protocol/reclaim.js';
import { ConnectivityTracker } from '../../src/modules/responses/worker/connectivity-tracker.js';
import { it, lease, type ProtocolWorld, workerNamed } from '../modules/protocol/protocol-world.js';
import { logger } from '../support/silent-logger.js';

const ann = workerNamed('ann');
const bob = workerNamed('bob');

/** As the worker asks: by the clock of the database, so many milliseconds ago. */
async function askedAgo(world: ProtocolWorld, agoMs: number): Promise<{ askedAtMs: number }> {
  return { askedAtMs: (await databaseTimeMs(world.database)) - agoMs };
}

describe('a statement that is carried out half a lease after it was asked', () => {
  it('reclaims nothing, and the run stays with its worker', async ({ world }) => {
    const { messageId } = await world.ask();
    await claim(world.database, ann, 1);
    await world.expireLease({ messageId });
    expect(await reclaim(world.database, { ...bob, ...(await askedAgo(world, lease.leaseMs / 2)) }, 1)).toEqual([]);
    expect(await world.response(messageId)).toMatchObject({ workerId: 'ann', attempt: 1, epoch: 1 });
    expect(await reclaim(world.database, { ...bob, ...(await askedAgo(world, 0)) }, 1)).toMatchObject([{ messageId }]);
  });

  it('claims nothing, and the message waits for the next worker', async ({ world }) => {
    const { messageId } = await world.ask();
    expect(await claim(world.database, { ...ann, ...(await askedAgo(world, lease.leaseMs / 2)) }, 1)).toEqual([]);
    expect(await world.response(messageId)).toMatchObject({ status: 'queued', attempt: 0 });
    expect(await claim(world.database, { ...bob, ...(await askedAgo(world, 0)) }, 1)).toMatchObject([{ messageId }]);
  });
});

describe('connectivity', () => {
  /** How long contact has lasted by the worker's own clock, which moves only here, when the second and third statement take 50 ms each. */
  async function lastedMs(silenceMs: number, second: () => void = () => undefined): Promise<number> {
    let nowMs = 1_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    onTestFinished(() => clock.mockRestore());
    const contact = new ConnectivityTracker(logger, silenceMs);
    const ask = (statement: () => void) =>
      contact.attempt('ask', async () => {
        nowMs += 50;
        statement();
      });
    await ask(() => undefined);
    await ask(second);
    await ask(() => undefined);
    return contact.lastedMs;
  }
  const fail = () => {
    throw new Error('the connection was lost');
  };

  it('lasts while answers come in time', async () => {
    expect(await lastedMs(50)).toBe(100);
  });

  it('starts over with a late one, because the heartbeats of others were held up as well', async () => {
    expect(await lastedMs(49)).toBe(0);
  });

  it('lasts over a failure without a silence', async () => {
    expect(await lastedMs(100, fail)).toBe(100);
  });

  it('starts over after a failure with a silence', async () => {
    expect(await lastedMs(99, fail)).toBe(0);
  });
});
