/** What this process holds for subscribers who do not read; their neighbour tests count what is taken for them. */
import { describe, expect, vi } from 'vitest';
import { it } from '../../support/fixtures/service.js';
import type { TestService } from '../../support/service.js';
import { heldMegabytes } from '../limits/held-memory.js';
import { allEvents, textAfter } from '../responses/response-events.js';
import { connectTo, longAnswer, longLength, repeatedly } from './stalled.js';
import { StreamClient } from './stream-client.js';

const patience = { timeout: 10_000 };
const readersOf = ({ service }: TestService) => service.tokenLog.stats().readers;

it('a subscriber who does not read uses no memory', async ({ service, ada }) => {
  service.model.enqueue(longAnswer());
  const sent = await ada.rest.readyThread({ text: 'Tell me everything' });
  const before = heldMegabytes();
  const sockets = Array.from({ length: 8 }, () => connectTo(ada, service.url, sent).pause());
  await vi.waitFor(() => expect(readersOf(service)).toBe(8), patience);
  expect(textAfter(await allEvents(ada.graphql, sent))).toHaveLength(longLength);
  expect(readersOf(service)).toBe(8);
  expect(heldMegabytes() - before).toBeLessThan(100);
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(() => expect(readersOf(service)).toBe(0), patience);
});

describe('a reserved stream', () => {
  it('uses no memory while its client does not read, however much its operations produce', async ({ service, ada }) => {
    const client = new StreamClient(service.url, ada.token);
    service.model.enqueue(longAnswer());
    const query = repeatedly(await ada.rest.readyThread({ text: 'Tell me everything' }));
    const token = await client.reserve();
    const before = heldMegabytes();
    for (const id of ['a', 'b', 'c', 'd']) await client.run(token, id, { query });
    await vi.waitFor(() => expect(readersOf(service)).toBeGreaterThan(0), patience);
    // Each has 30 MB to say, and nobody reads.
    for (let count = 0; count < 20; count += 1) await client.run(token, `me${count}`, { query: '{ me { sub } }' });
    expect(heldMegabytes() - before).toBeLessThan(60);
  });
});
