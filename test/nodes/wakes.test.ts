/**
 * Nodes wake each other, and nobody else; that a stop does is shown in `stop-response.test.ts`. The intervals at which workers look
 * by themselves are hours, except where the test is about them.
 */
import { describe, expect, vi } from 'vitest';
import { announce, Reader } from '../graphql/presence/presence-client.js';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import { Spy } from '../support/database/spy.js';
import { serviceTest } from '../support/fixtures/service.js';
import { gate, text, wait } from '../support/model/model-script.js';
import { FaultyProxy } from '../support/network/faulty-proxy.js';
import { startTestService, type TestService } from '../support/service.js';
import { addThread } from '../support/threads.js';

const hourMs = 3_600_000;
const lease = { leaseMs: 4 * hourMs, heartbeatMs: hourMs, pollMs: hourMs, maxAttempts: 3, deadlineMs: hourMs };
const patient = { timeout: 30_000 };

/** Every channel that a turn of a conversation wakes, and that of those who read it. */
const channels = ['response_queued', 'response_changed', 'response_stop', 'thread_changed', 'thread_presence'];

const it = serviceTest({ settings: { lease }, environment: { ROLE: 'worker' } }).extend(
  'api',
  { scope: 'file' },
  ({ service }) => service.addNode({ ROLE: 'api' }),
);

/** Waits until the node's listening connection has asked who else listens or, which it does a little later, works. */
async function haveAsked(service: TestService, nodes: number): Promise<void> {
  await vi.waitFor(async () => {
    const asked =
      await service.sql(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'skein listen'
         AND (query LIKE 'SELECT pg_notify%' OR query LIKE 'SELECT EXISTS%') AND state = 'idle'`);
    expect(asked).toHaveLength(nodes);
  }, patient);
}

describe('with another node', () => {
  it('a message to one is answered by the other without a poll, turn after turn', async ({ service, api, ada }) => {
    const client = service.clientOf(api, ada.token);
    const { threadId, messageId } = await client.createThread({ text: 'one' });
    await client.answer({ threadId, messageId });
    for (const turn of ['two', 'three', 'four']) {
      const sent = await client.send(threadId, turn);
      await client.answer(sent);
    }
  });

  it('a follower on one sees what happens on the other', async ({ service, api, ada }) => {
    const graphql = new GraphQLClient({ origin: api.url, token: ada.token });
    const id = await addThread(service, ada, { name: 'before' });
    const query = 'subscription ($id: ID!) { threadChanged(id: $id) { name } }';
    const { results } = await graphql.subscribe({ query, variables: { id } });
    expect((await results.next()).value?.data).toEqual({ threadChanged: { name: 'before' } });
    const { changes, wakes } = await countingWakes(service, () =>
      service.database.thread.update({ where: { id }, data: { name: 'after' } }),
    );
    expect((await results.next()).value?.data).toEqual({ threadChanged: { name: 'after' } });
    expect([changes.name, wakes]).toEqual(['after', [`${changes.organizationId} ${id}`]]);
    await results.return(undefined);
  });
});

/** What other nodes were told of threads while the work was done. */
async function countingWakes<Result>(service: TestService, work: () => Promise<Result>) {
  const spy = await Spy.open(service.storage.url, ['thread_changed']);
  try {
    const changes = await work();
    const wakes: string[] = [];
    await vi.waitFor(async () => {
      wakes.push(...(await spy.take()));
      expect(wakes).not.toEqual([]);
    }, patient);
    return { changes, wakes };
  } finally {
    await spy.close();
  }
}

it('a node that is alone notifies nobody, while every other session does', async () => {
  await using service = await startTestService({ settings: { lease } });
  const spy = await Spy.open(service.storage.url, channels);
  try {
    const ada = await service.person();
    const held = gate();
    service.model.enqueue([text('Hel'), wait(held.passed), text('lo')]);
    const sent = await ada.rest.createThread({ text: 'hi' });
    await haveAsked(service, 1);
    held.open();
    await ada.rest.answer(sent);
    await ada.rest.answer(await ada.rest.send(sent.threadId, 'again'));
    const bob = await service.person({ name: 'Bob' });
    const readers = await Promise.all([ada, bob].map((person) => Reader.of(service.url, person, sent.threadId)));
    await announce(service.url, bob, sent.threadId);
    await expect.poll(() => readers[0]?.names).toEqual(['Bob ✎']);
    for (const reader of readers) reader.leave();
    expect(await spy.take()).toEqual([]);
    await service.sql(`UPDATE thread SET name = 'by hand'`);
    expect(await spy.take()).toEqual([expect.stringContaining(` ${sent.threadId}`)]);
  } finally {
    await spy.close();
  }
});

it('a wake that is lost costs a poll', async () => {
  await using service = await startTestService({ environment: { ROLE: 'api' } });
  const { proxy, url } = await FaultyProxy.before(service.storage.url);
  await service.addNode({ ROLE: 'worker', DIRECT_DATABASE_URL: url });
  await proxy.close();
  const ada = await service.person();
  const sent = await ada.rest.createThread({ text: 'hi' });
  await ada.rest.answer(sent);
});
