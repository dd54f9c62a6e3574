/** A worker that starts where the only other one was killed reclaims what that one ran before its leases expire. */
import { expect, it, vi } from 'vitest';
import { claim } from '../../src/modules/responses/protocol/claim.js';
import { defaultLeaseSettings } from '../../src/modules/responses/worker/lease-settings.js';
import { workerNamed } from '../modules/protocol/protocol-world.js';
import { startTestService } from '../support/service.js';

it('a worker reclaims what the only one ran, which was killed, before its lease expires', async () => {
  await using service = await startTestService({
    environment: { ROLE: 'api' },
    settings: { lease: defaultLeaseSettings },
  });
  const { database } = service;
  const { rest } = await service.person();
  const { messageId } = await rest.createThread({ text: 'Hi' });
  expect(await claim(database, workerNamed('killed'), 1)).toHaveLength(1);
  await service.addNode({ ROLE: 'worker' });
  const look = async () => {
    // Neither renewed nor over, however slow the machine is.
    await database.$executeRaw`
      UPDATE response SET lease_until = clock_timestamp() + interval '2 s' WHERE message_id = ${messageId} AND epoch = 1`;
    const row = await database.response.findUniqueOrThrow({ where: { messageId } });
    expect(row).toMatchObject({ status: 'succeeded', attempt: 2 });
  };
  await vi.waitFor(look, { timeout: 60_000, interval: 100 });
});
