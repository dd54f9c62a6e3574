/**
 * Time counts towards the limit on waiting only while the worker lives, and it lives while it asks the database for the time
 * at least once in a lease. The clock that it is told is the test's; how long a message has waited is what its row says.
 */
import { describe, expect } from 'vitest';
import { ConnectivityTracker } from '../../../src/modules/responses/worker/connectivity-tracker.js';
import { Reclaimer } from '../../../src/modules/responses/worker/reclaimer.js';
import { logger } from '../../support/silent-logger.js';
import { it } from './protocol-fixture.js';
import { lease, type ProtocolWorld, workerNamed } from './protocol-world.js';
import { withClock } from './with-clock.js';

const limitMs = 300_000;
/** As long as a worker may be silent. */
const longestGapMs = lease.leaseMs;

/** A message that has waited for an hour, and a worker that starts only now. Its checks are at times after its first one. */
async function lateWorker(world: ProtocolWorld) {
  const waiting = await world.ask();
  await world.queuedSince(waiting, 3_600_000);
  const startMs = Date.now();
  let nowMs = startMs;
  const leases = withClock(world, () => nowMs);
  const othersWork = async () => true;
  const options = { queueLimitMs: limitMs, repairMs: null, lease, othersWork, leases, logger };
  const reclaimer = new Reclaimer(options, new ConnectivityTracker(logger, lease.leaseMs));
  const lookAt = async (atMs: number) => {
    nowMs = startMs + atMs;
    await reclaimer.run(
      () => workerNamed('late'),
      () => 0,
    );
    return (await world.response(waiting.messageId)).status;
  };
  return { lookAt };
}

describe('the limit on waiting', () => {
  it('fails nothing when a worker starts, however long messages waited without one', async ({ world }) => {
    const { lookAt } = await lateWorker(world);
    expect(await lookAt(0)).toBe('queued');
  });

  it('fails waiting messages once the worker has been alive for that long, not before', async ({ world }) => {
    const { lookAt } = await lateWorker(world);
    for (let atMs = 0; atMs < limitMs; atMs += longestGapMs) expect(await lookAt(atMs)).toBe('queued');
    expect(await lookAt(limitMs - 1)).toBe('queued');
    expect(await lookAt(limitMs)).toBe('failed');
  });

  it('counts from the end of a silence of the worker that was longer than a lease', async ({ world }) => {
    const { lookAt } = await lateWorker(world);
    expect(await lookAt(0)).toBe('queued');
    const backMs = longestGapMs + 1;
    for (let atMs = 0; atMs < limitMs; atMs += longestGapMs) expect(await lookAt(backMs + atMs)).toBe('queued');
    expect(await lookAt(backMs + limitMs - 1)).toBe('queued');
    expect(await lookAt(backMs + limitMs)).toBe('failed');
  });
});
