/**
 * What a client of GraphQL lists beyond REST, in which order, and in which pages: cursors and ids, page information. That conditions,
 * orders, sizes and refusals are those of REST is in `test/parity/outcomes.test.ts`.
 */
import { describe, expect } from 'vitest';
import { it } from '../../support/fixtures/service.js';
import { addThreads, listIds } from '../../support/threads.js';
import { idsOf, namesOf, pagesOfTwo, type ThreadPage, threadPage, withThreads } from './thread-pages.js';

describe('threads › filter', () => {
  it('shows archived threads alone where only they are asked for', async ({ service, ada, bob, graphql }) => {
    await addThreads(service, ada, [{ name: 'open' }, { name: 'old', archived: true }]);
    await addThreads(service, bob, [{ name: 'of Bob' }]);
    const sorted = async (filter: Record<string, unknown>) => namesOf(await threadPage(graphql, { filter })).toSorted();
    expect(await sorted({ onlyArchived: true })).toEqual(['old']);
    expect(await sorted({ onlyArchived: true, archived: false, q: 'old' })).toEqual(['old']);
    expect(await sorted({ onlyArchived: false })).toEqual(['of Bob', 'open']);
    expect(await sorted({ onlyArchived: false, archived: true })).toEqual(['of Bob', 'old', 'open']);
    expect(await sorted({ onlyArchived: true, owned: false })).toEqual([]);
  });

  it('takes the id of an owner, and shows no private threads of others', async ({ service, ada, bob, graphql }) => {
    await addThreads(service, ada, [{ name: 'by Ada' }, { name: 'secret by Ada', isPrivate: true }]);
    await addThreads(service, bob, [{ name: 'by Bob' }, { name: 'secret by Bob', isPrivate: true }]);
    const stranger = await withThreads(service, 1);
    const listed = async (filter: Record<string, unknown>) =>
      namesOf(await threadPage(graphql, { filter: { q: 'by', ...filter } })).toSorted();
    expect(await listed({ ownerId: bob.id })).toEqual(['by Bob']);
    expect(await listed({ ownerId: ada.id })).toEqual(['by Ada', 'secret by Ada']);
    expect(await listed({ ownerId: bob.id, owned: true })).toEqual([]);
    expect(await listed({ ownerId: null })).toHaveLength(3);
    for (const ownerId of [stranger.person.id, `${bob.id.slice(0, -4)}0000`, 'usr_\u0000']) {
      expect(namesOf(await threadPage(graphql, { filter: { ownerId } }))).toEqual([]);
    }
  });
});

describe('threads › orderBy', () => {
  it('by activity moves a thread when something is said in it, and by nothing else', async ({ service }) => {
    const { client, person, ids } = await withThreads(service, 5);
    const orderBy = { field: 'ACTIVE_AT' } as const;
    const order = async () => {
      const pages = await pagesOfTwo(client, { orderBy, filter: { archived: true } });
      return pages.flatMap(namesOf).join('');
    };
    const [first = '', second = ''] = ids;
    expect(await order()).toBe('54321');
    const change = (mutation: string, id: string) => client.data(`mutation ($id: ID!) { ${mutation} }`, { id });
    await change('renameThread(input: {id: $id, name: "1"}) { __typename }', first);
    await change('setThreadPrivacy(input: {id: $id, isPrivate: true}) { __typename }', first);
    await change('archiveThread(id: $id) { __typename }', first);
    await change('archiveThreads(ids: [$id]) { __typename }', second);
    expect(await order()).toBe('54321');
    await person.rest.answer(await person.rest.send(second, 'Hello'));
    expect(await order()).toBe('25431');
    await change('renameThread(input: {id: $id, name: "1"}) { __typename }', first);
    expect(await order()).toBe('25431');
    const { thread } = await client.data('query ($id: ID!) { thread(id: $id) { activeAt updatedAt createdAt } }', {
      id: first,
    });
    expect(thread?.activeAt).toBe(thread?.createdAt);
    expect(thread?.updatedAt).not.toBe(thread?.createdAt);
  });
});

const ends = {
  'the cursor of the page': ({ pageInfo }: ThreadPage) => pageInfo.endCursor,
  'the cursor of the last edge': ({ edges }: ThreadPage) => edges.at(-1)?.cursor,
  'the id of the last thread': (page: ThreadPage) => idsOf(page).at(-1),
};
const orders = (['UPDATED_AT', 'CREATED_AT'] as const).flatMap((field) =>
  (['ASC', 'DESC'] as const).map((direction) => ({ field, direction })),
);
describe('threads › first and after', () => {
  it.for(orders)('return all threads page by page, by $field $direction', async (orderBy, { service }) => {
    const { client } = await withThreads(service, 5);
    const whole = idsOf(await threadPage(client, { orderBy }));
    for (const [what, endOf] of Object.entries(ends)) {
      const pages = await pagesOfTwo(client, { orderBy }, endOf);
      expect(pages.flatMap(idsOf), `with ${what}`).toEqual(whole);
      expect(pages.map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual([false, true, true]);
    }
  });

  it('continue from where a remembered thread stood, even after it moved, as in REST', async ({ service }) => {
    const { client, person, ids } = await withThreads(service, 5);
    const first = await threadPage(client, { first: 2, remember: true });
    const last = idsOf(first).at(-1) ?? '';
    await service.database.thread.update({ where: { id: last }, data: { updatedAt: new Date() } });
    const rest = await listIds(person.rest, { after: last });
    expect(rest).toEqual([ids[2], ids[1], ids[0]]);
    expect(idsOf(await threadPage(client, { after: last }))).toEqual(rest);
  });

  it('give page information that matches the edges, and nulls for an empty page', async ({ service }) => {
    const { client } = await withThreads(service, 5);
    const { edges, pageInfo } = await threadPage(client, { first: 5 });
    expect(pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: edges[0]?.cursor,
      endCursor: edges[4]?.cursor,
    });
    const empty = await threadPage(client, { filter: { q: 'nothing-like-this' } });
    expect(empty).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      endId: null,
    });
  });
});
