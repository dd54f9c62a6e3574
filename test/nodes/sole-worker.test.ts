/** A worker that starts where the only other one was killed reclaims what that one ran before its leases expire. */
import { expect, it, vi } from 'vitest';
import { withCluster } from '../chaos/with-cluster.js';
import { RestClient } from '../support/clients/rest-client.js';
import { gate, text, wait } from '../support/model/model-script.js';

it('a worker reclaims what the only one ran, which was killed, before its lease expires', { timeout: 120_000 }, () =>
  withCluster({ roles: ['api', 'worker'] }, async ({ cluster, model, database, token }) => {
    const worker = cluster.nodes[1] ?? expect.fail('no worker');
    const never = gate();
    model.enqueue([text('Hel'), wait(never.passed)]);
    model.enqueue([text('Hello')]);
    const rest = new RestClient({ origin: cluster.urls[0] ?? expect.fail('no API'), prefix: '/api/v1', token });
    const { messageId } = await rest.createThread({ text: 'Hi' });
    await vi.waitFor(() => expect(model.requests).toHaveLength(1), { timeout: 20_000 });
    await worker.end('SIGKILL');
    const started = worker.start();
    const look = async () => {
      // Neither renewed nor over, however slowly the machine starts the worker.
      await database.$executeRaw`
        UPDATE response SET lease_until = clock_timestamp() + interval '2 s' WHERE message_id = ${messageId} AND epoch = 1`;
      const row = await database.response.findUniqueOrThrow({ where: { messageId } });
      expect(row).toMatchObject({ status: 'succeeded', attempt: 2 });
    };
    await vi.waitFor(look, { timeout: 60_000, interval: 100 });
    await started;
    never.open();
  }),
);
