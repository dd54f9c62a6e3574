import { describe, expect } from 'vitest';
import { claim } from '../../../src/modules/responses/protocol/claim.js';
import { failUnclaimed } from '../../../src/modules/responses/protocol/fail-unclaimed.js';
import { it } from './protocol-fixture.js';
import { workerNamed } from './protocol-world.js';

const ann = workerNamed('ann');

describe('failUnclaimed', () => {
  it('fails messages that waited longer than the limit, with a reason, and no others', async ({ world, changes }) => {
    const [stale, fresh] = [await world.ask(), await world.ask()];
    await world.queuedSince(stale, 61_000);
    await changes.take();
    const failed = await failUnclaimed(world.database, ann, { limitMs: 60_000 });
    expect(failed).toEqual([stale]);
    expect(await world.thread(stale.threadId)).toMatchObject({ state: 'error', epoch: 1, queuedAt: null });
    expect(await world.response(stale.messageId)).toMatchObject({
      status: 'failed',
      errorCode: 'queue_timeout',
      epoch: 1,
    });
    expect(await changes.take()).toEqual([stale.messageId]);
    expect(await world.thread(fresh.threadId)).toMatchObject({ state: 'waiting', epoch: 0 });
    expect(await claim(world.database, ann, 5)).toMatchObject([{ messageId: fresh.messageId }]);
  });
});
