/** What a worker makes of responses whose leases have expired because the clock of the database leapt ahead. */
import { expect, onTestFinished, vi } from 'vitest';
import { ConnectivityTracker } from '../../../src/modules/responses/worker/connectivity-tracker.js';
import { Reclaimer } from '../../../src/modules/responses/worker/reclaimer.js';
import { logger } from '../../support/silent-logger.js';
import { it } from './protocol-fixture.js';
import { lease, type ProtocolWorld, workerNamed } from './protocol-world.js';
import { withClock } from './with-clock.js';

/** A worker that has been alive for longer than a lease. Its checks are at times of the monotonic clock. */
async function establishedWorker(world: ProtocolWorld) {
  // A whole number: with fractions, the sum of two times is not always what their difference was.
  const startMs = Math.round(performance.now());
  const monotonic = vi.spyOn(performance, 'now').mockReturnValue(startMs);
  onTestFinished(() => monotonic.mockRestore());
  let clockMs = Date.now();
  const leases = withClock(world, () => clockMs);
  const options = { queueLimitMs: null, repairMs: null, lease, othersWork: async () => true, leases, logger };
  const reclaimer = new Reclaimer(options, new ConnectivityTracker(logger, lease.leaseMs));
  const lookAt = async (afterMs: number, { leapMs = 0 } = {}) => {
    clockMs += startMs + afterMs + leapMs - performance.now();
    monotonic.mockReturnValue(startMs + afterMs);
    const taken = await reclaimer.run(
      () => workerNamed('bob'),
      () => 10,
    );
    return taken.map(({ messageId }) => messageId);
  };
  await lookAt(0);
  await lookAt(lease.leaseMs);
  return { lookAt, nowMs: lease.leaseMs };
}

it('takes nobody for lost when the clock leaps ahead, until a lease later', async ({ world }) => {
  const { lookAt, nowMs } = await establishedWorker(world);
  const run = await world.running();
  await world.expireLease(run);
  expect(await lookAt(nowMs + 1_000, { leapMs: 3_600_000 })).toEqual([]);
  expect(await lookAt(nowMs + lease.leaseMs)).toEqual([]);
  expect(await lookAt(nowMs + 1_001 + lease.leaseMs)).toEqual([run.messageId]);
});

it('takes a lease that expires in its time for that of a lost worker at once', async ({ world }) => {
  const { lookAt, nowMs } = await establishedWorker(world);
  const run = await world.running();
  await world.expireLease(run);
  expect(await lookAt(nowMs + 30_000)).toEqual([run.messageId]);
});
