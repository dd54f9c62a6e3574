import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claim } from '../../../src/modules/responses/protocol/claim.js';
import { failUnclaimed } from '../../../src/modules/responses/protocol/fail-unclaimed.js';
import { ChangeListener } from '../feeds/change-listener.js';
import { ProtocolWorld, workerNamed } from './protocol-world.js';

const ann = workerNamed('ann');

let world: ProtocolWorld;
let changes: ChangeListener;
beforeAll(async () => {
  world = await ProtocolWorld.open();
  changes = await ChangeListener.open(world.storage.url);
});
afterEach(() => world.removeThreads());
afterAll(async () => {
  await changes.close();
  await world.close();
});

describe('failUnclaimed', () => {
  it('fails messages that waited longer than the limit, with a reason, and no others', async () => {
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
