/** `threadChanged`: one thread, as it is and as it becomes. */
import { describe, expect, vi } from 'vitest';
import { type Data, GraphQLClient, type GraphQLResult } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread, colleagueOf, newcomer } from '../../support/threads.js';
import { threadFields } from './threads-feed.js';

const patience = { timeout: 10_000 };

const it = serviceTest().extend('ada', { scope: 'file' }, ({ service }) => newcomer(service));

const query = `subscription ($id: ID!) { threadChanged(id: $id) { ${threadFields} } }`;

type Changed = Data<typeof query>;
type Results = AsyncGenerator<GraphQLResult<Changed>>;

async function follow(service: TestService, { token }: Person, id: string, origin = service.url): Promise<Results> {
  const client = new GraphQLClient({ origin, token });
  const { results } = await client.subscribe({ query, variables: { id } });
  return results;
}

async function next(results: Results): Promise<Changed['threadChanged']> {
  const { done, value } = await results.next();
  if (done || !value.data) throw new Error(`Not a thread: ${done ? 'the end' : JSON.stringify(value)}`);
  return value.data.threadChanged;
}

const change = (service: TestService, id: string, data: { name?: string; isPrivate?: boolean }) =>
  service.database.thread.update({ where: { id }, data });

describe('threadChanged', () => {
  it('begins with the thread, and shows each lasting state of a conversation', async ({ service, ada }) => {
    const id = await addThread(service, ada, { name: 'talk' });
    const results = await follow(service, ada, id);
    expect(await next(results)).toMatchObject({ id, name: 'talk', state: 'READY', owner: { id: ada.id } });
    const held = gate();
    service.model.enqueue([text('Hel'), wait(held.passed), text('lo')]);
    await ada.rest.send(id, 'Hi');
    const states: string[] = [];
    while (states.at(-1) !== 'ACTIVE') states.push((await next(results)).state);
    held.open();
    expect((await next(results)).state).toBe('READY');
    await results.return(undefined);
  });

  it('shows the last of many changes, and none twice', async ({ service, ada }) => {
    const id = await addThread(service, ada);
    const results = await follow(service, ada, id);
    await next(results);
    for (let n = 1; n <= 50; n += 1) await change(service, id, { name: `name ${n}` });
    const names: (string | null)[] = [];
    while (names.at(-1) !== 'name 50') names.push((await next(results)).name);
    const numbers = names.map((name) => Number(name?.slice(5)));
    expect(numbers, 'in order, none twice').toEqual([...new Set(numbers)].sort((a, b) => a - b));
    await results.return(undefined);
  });

  it('shows what another node changes', async ({ service, ada }) => {
    const node = await service.addNode({ ROLE: 'api' });
    const id = await addThread(service, ada);
    const results = await follow(service, ada, id, node.url);
    await next(results);
    await change(service, id, { name: 'from here' });
    expect((await next(results)).name).toBe('from here');
    await results.return(undefined);
    await vi.waitFor(() => expect(node.threadChanges.stats().followers).toBe(0), patience);
  });

  it('ends for colleagues when the thread is made private, and continues for its owner', async ({ service, ada }) => {
    const id = await addThread(service, ada, { name: 'open' });
    const [own, other] = await Promise.all([
      follow(service, ada, id),
      follow(service, await colleagueOf(service, ada), id),
    ]);
    await Promise.all([next(own), next(other)]);
    await change(service, id, { name: 'closed', isPrivate: true });
    expect(await other.next()).toEqual({ done: true, value: undefined });
    expect(await next(own)).toMatchObject({ name: 'closed', isPrivate: true });
    await own.return(undefined);
  });

  it('ends when the token is revoked', async ({ service, ada }) => {
    const id = await addThread(service, ada);
    const token = await service.token(ada.id, ['threads:read']);
    const results = await follow(service, { ...ada, token }, id);
    await next(results);
    await service.database.accessToken.updateMany({
      where: { userId: ada.id, scopes: { equals: ['threads:read'] } },
      data: { revokedAt: new Date() },
    });
    await change(service, id, { name: 'not for this token' });
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });

  it('of an unknown thread is an error before any event, and leaves nothing behind', async ({ service, ada }) => {
    const results = await follow(service, ada, 'a\u0000');
    const { value } = await results.next();
    expect(value?.errors?.[0]?.extensions?.['code']).toBe('NOT_FOUND');
    expect(await results.next()).toMatchObject({ done: true });
    await vi.waitFor(
      () => expect(service.service.threadChanges.stats()).toEqual({ followers: 0, topics: 0 }),
      patience,
    );
  });
});
