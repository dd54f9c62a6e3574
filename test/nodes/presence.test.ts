/**
 * Who is in a thread, across nodes: what one knows the others know. That those of a node that is killed are forgotten is shown
 * with a clock of its own in `modules/presence/presence-clock.test.ts`, and that a node which is alone says nothing in `wakes.test.ts`.
 */
import { describe, expect } from 'vitest';
import { announce, Reader } from '../graphql/presence/presence-client.js';
import { serviceTest } from '../support/fixtures/service.js';
import { addThread } from '../support/threads.js';

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
