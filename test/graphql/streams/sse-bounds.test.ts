/** What `/graphql/stream` keeps for a client is bounded: reservations, operations, and what waits to be read. */
import { describe, expect, vi } from 'vitest';
import { activeThread } from '../../rest/threads/thread-stages.js';
import type { GraphQLResult } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { charactersFromNow, longAnswer, repeatedly } from './stalled.js';
import { StreamClient } from './stream-client.js';

const streams = { perUser: 3, perOrganization: 1000, perProcess: 1000, maxLifeMs: 60_000 };
const patience = { timeout: 10_000 };

const it = serviceTest()
  /** Its reservations wait only shortly, and a user may have few. */
  .extend('hasty', { scope: 'file' }, ({ startService }) =>
    startService({ settings: { graphql: { streams, reservationMs: 1500 } } }),
  );

async function newcomer(service: TestService): Promise<{ person: Person; client: StreamClient }> {
  const person = await service.person();
  return { person, client: new StreamClient(service.url, person.token) };
}

const readersOf = ({ service }: TestService) => service.tokenLog.stats().readers;

describe('a reservation', () => {
  it('that is not connected in time expires with its operations; one that was does not', async ({ hasty }) => {
    const { person, client } = await newcomer(hasty);
    const active = await activeThread({ service: hasty, rest: person.rest });
    const [connected, token] = [await client.reserve(), await client.reserve()];
    const stream = await client.open({ stream: connected });
    const query = `subscription { responseEvents(messageId: "${active.messageId}") { __typename } }`;
    expect(await client.run(token, 'a', { query })).toMatchObject({ status: 202 });
    await vi.waitFor(() => expect(readersOf(hasty)).toBe(1), patience);
    await vi.waitFor(() => expect(readersOf(hasty)).toBe(0), patience);
    const opened = await client.fetch({ method: 'GET', stream: token, accept: 'text/event-stream' });
    expect(opened.status).toBe(404);
    expect(await client.run(connected, 'a', { query: '{ me { sub } }' })).toMatchObject({ status: 202 });
    stream.close();
    active.finish();
  });

  it('is refused beyond the limit of a user, and only to that user', async ({ hasty }) => {
    const { client } = await newcomer(hasty);
    for (let count = 0; count < streams.perUser; count += 1) await client.reserve();
    const refused = await client.fetch({ method: 'PUT' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    const { errors } = (await refused.json()) as GraphQLResult;
    expect(errors?.[0]?.extensions).toEqual({ code: 'LIMIT_EXCEEDED', limit: 'streams', maximum: 3 });
    await (await newcomer(hasty)).client.reserve();
    await vi.waitFor(() => client.reserve(), patience);
  });
});

describe('a reserved stream', () => {
  it('takes 100 operations at once, whose results wait to be read', async ({ service }) => {
    const { client } = await newcomer(service);
    const token = await client.reserve();
    const query = { query: '{ me { sub } }' };
    const all = await Promise.all(Array.from({ length: 100 }, (_, n) => client.run(token, `q${n}`, query)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([202]));
    const refused = await client.run(token, 'more', query);
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      429,
      { errors: [{ extensions: { limit: 'operations' } }] },
    ]);
    const stream = await client.open({ stream: token });
    await vi.waitFor(
      () => expect(stream.messages.filter(({ event }) => event === 'complete')).toHaveLength(100),
      patience,
    );
    expect(await client.run(token, 'more', query)).toMatchObject({ status: 202 });
    stream.close();
  });

  it('takes one result of each operation while its client does not read', async ({ service }) => {
    const { person, client } = await newcomer(service);
    service.model.enqueue(longAnswer());
    const query = repeatedly(await person.rest.readyThread({ text: 'Tell me everything' }));
    const token = await client.reserve();
    const characters = charactersFromNow();
    for (const id of ['a', 'b', 'c', 'd']) await client.run(token, id, { query });
    await vi.waitFor(() => expect(readersOf(service)).toBe(4), patience);
    // Each has 30 MB to say, and nobody reads.
    for (let count = 0; count < 20; count += 1) await client.run(token, `me${count}`, { query: '{ me { sub } }' });
    expect(characters()).toBeLessThanOrEqual(4 * 4096);
    const stream = await client.open({ stream: token });
    await vi.waitFor(() => expect(stream.messages.length).toBeGreaterThan(20), patience);
    stream.close();
    await vi.waitFor(() => expect(readersOf(service)).toBe(0), patience);
  });
});

it('the end of the service ends every stream without a false `done`', async ({ service }) => {
  const { person, client } = await newcomer(service);
  const node = await service.addNode();
  const elsewhere = new StreamClient(node.url, person.token);
  const active = await activeThread({ service, rest: person.rest });
  const query = `subscription { responseEvents(messageId: "${active.messageId}") { __typename } }`;
  const token = await elsewhere.reserve();
  const stream = await elsewhere.open({ stream: token });
  await elsewhere.run(token, 'a', { query });
  await vi.waitFor(() => expect(stream.messages.length).toBeGreaterThan(0), patience);
  await node.stop(0);
  await stream.end.catch((error: Error) => expect(error.message).toBe('terminated'));
  expect(JSON.stringify(stream.messages)).not.toContain('ResponseDone');
  active.finish();
  expect((await client.fetch({ method: 'PUT' })).status).toBe(201);
});
