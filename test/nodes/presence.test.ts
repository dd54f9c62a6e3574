/** Who is in a thread, across nodes: what one knows the others know, until it stops or is killed. */
import { describe, expect } from 'vitest';
import { scopes } from '../../src/contract.js';
import { createOrganization, createUser } from '../../src/modules/identity/provision.js';
import { issueToken } from '../../src/modules/identity/tokens/manage-tokens.js';
import { withCluster } from '../chaos/with-cluster.js';
import { announce, Reader } from '../graphql/presence/presence-client.js';
import { RestClient } from '../support/clients/rest-client.js';
import { Spy } from '../support/database/spy.js';
import { serviceTest } from '../support/fixtures/service.js';
import { startTestService } from '../support/service.js';
import { addThread } from '../support/threads.js';

const channels = ['thread_presence'];
const it = serviceTest().extend('node', { scope: 'file' }, ({ service }) => service.addNode({ ROLE: 'api' }));

describe('two nodes', () => {
  it('show each other who reads and who writes', async ({ service, node, ada, bob }) => {
    const threadId = await addThread(service, ada);
    const adas = await Reader.of(service.url, ada, threadId);
    const bobs = await Reader.of(node.url, bob, threadId);
    await expect.poll(() => adas.names).toEqual(['Bob']);
    await expect.poll(() => bobs.names).toEqual(['Ada']);
    // To the node on which Bob has nothing open.
    await announce(service.url, bob, threadId);
    await expect.poll(() => adas.names).toEqual(['Bob ✎']);
    await service.clientOf(node, bob.token).send(threadId, 'Sent to the other one');
    await expect.poll(() => adas.names).toEqual(['Bob']);
    bobs.leave();
    await expect.poll(() => adas.names).toEqual([]);
    adas.leave();
  });

  it('count a person with a page on each of them once, until both are closed', async ({ service, node, ada, bob }) => {
    const threadId = await addThread(service, ada);
    const adas = await Reader.of(service.url, ada, threadId);
    const pages = [await Reader.of(service.url, bob, threadId), await Reader.of(node.url, bob, threadId)];
    await expect.poll(() => adas.names).toEqual(['Bob']);
    pages[0]?.leave();
    await announce(node.url, bob, threadId);
    await expect.poll(() => adas.names).toEqual(['Bob ✎']);
    expect(adas.list?.count).toBe(1);
    pages[1]?.leave();
    await expect.poll(() => adas.names).toEqual([]);
    adas.leave();
  });

  it('tell a node that begins what they know', async ({ service, ada, bob }) => {
    const threadId = await addThread(service, ada);
    const bobs = await Reader.of(service.url, bob, threadId);
    const late = await service.addNode({ ROLE: 'api' });
    const adas = await Reader.of(late.url, ada, threadId);
    await expect.poll(() => adas.names).toEqual(['Bob']);
    await late.stop(0);
    for (const reader of [adas, bobs]) reader.leave();
  });
});

it('a node that is alone notifies nobody', async () => {
  await using service = await startTestService();
  const spy = await Spy.open(service.storage.url, channels);
  try {
    const [ada, bob] = [await service.person({ name: 'Ada' }), await service.person({ name: 'Bob' })];
    const threadId = await addThread(service, ada);
    const readers = [await Reader.of(service.url, ada, threadId), await Reader.of(service.url, bob, threadId)];
    await announce(service.url, bob, threadId);
    await expect.poll(() => readers[0]?.names).toEqual(['Bob ✎']);
    expect(await spy.take()).toEqual([]);
    for (const reader of readers) reader.leave();
  } finally {
    await spy.close();
  }
});

it('those of a node that is killed are gone, although it said nothing', { timeout: 120_000 }, () =>
  withCluster({ roles: ['api', 'api'] }, async ({ cluster, database }) => {
    const [first, second] = cluster.nodes;
    const [url, otherUrl] = [first?.url ?? '', second?.url ?? ''];
    await createOrganization(database, { slug: 'present', name: 'Present' });
    const member = async (name: string) => {
      const email = `${name.toLowerCase()}@present.test`;
      const user = await createUser(database, { organizationSlug: 'present', email, name, role: 'member' });
      const { secret } = await issueToken(database, { userId: user.id, name: 'test', scopes, expiresAt: null });
      return { token: secret };
    };
    const [ada, bob] = [await member('Ada'), await member('Bob')];
    const rest = new RestClient({ origin: url, prefix: '/api/v1', token: ada.token });
    const { threadId } = await rest.createThread({ text: 'Hi' });
    const adas = await Reader.of(url, ada, threadId);
    const bobs = await Reader.of(otherUrl, bob, threadId);
    await expect.poll(() => adas.names).toEqual(['Bob']);
    await second?.end('SIGKILL');
    await expect.poll(() => bobs.isCut).toBe(true);
    expect(adas.names, 'the node said nothing').toEqual(['Bob']);
    await expect.poll(() => adas.names, { timeout: 60_000 }).toEqual([]);
    adas.leave();
  }),
);
