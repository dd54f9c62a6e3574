/** Which threads a client lists, in which order, and in which pages: cursors and ids, sizes, page information. */
import { describe, expect } from 'vitest';
import { it } from '../../support/fixtures/service.js';
import { addThread, addThreads, listIds } from '../../support/threads.js';
import { idsOf, namesOf, type ThreadPage, threadPage, threadsQuery, withThreads } from './thread-pages.js';

describe('threads › filter', () => {
  it('takes each condition, alone and together', async ({ service, ada, bob, graphql }) => {
    await addThreads(service, ada, [
      { name: 'open' },
      { name: 'secret', isPrivate: true },
      { name: 'old', archived: true },
    ]);
    await addThreads(service, bob, [{ name: 'of Bob' }, { name: 'secret of Bob', isPrivate: true }]);
    const sorted = async (filter?: Record<string, unknown>) =>
      namesOf(await threadPage(graphql, { filter })).toSorted();
    expect(await sorted()).toEqual(['of Bob', 'open', 'secret']);
    expect(await sorted({})).toEqual(['of Bob', 'open', 'secret']);
    expect(await sorted({ owned: true })).toEqual(['open', 'secret']);
    expect(await sorted({ owned: false })).toEqual(['of Bob']);
    expect(await sorted({ private: true })).toEqual(['secret']);
    expect(await sorted({ private: false })).toEqual(['of Bob', 'open']);
    expect(await sorted({ archived: true })).toEqual(['of Bob', 'old', 'open', 'secret']);
    expect(await sorted({ onlyArchived: true })).toEqual(['old']);
    expect(await sorted({ onlyArchived: true, archived: false, q: 'old' })).toEqual(['old']);
    expect(await sorted({ onlyArchived: false })).toEqual(['of Bob', 'open', 'secret']);
    expect(await sorted({ onlyArchived: false, archived: true })).toHaveLength(4);
    expect(await sorted({ onlyArchived: true, owned: false })).toEqual([]);
    expect(await sorted({ q: 'secr' })).toEqual(['secret']);
    expect(await sorted({ owned: true, private: false, archived: true, q: 'open' })).toEqual(['open']);
    expect(await sorted({ owned: null, private: null, archived: null, q: null, updatedSince: null })).toHaveLength(3);
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

  it('refuses a search with a character that no database can hold as the caller’s mistake', async ({ graphql }) => {
    const failure = await graphql.failure({ query: threadsQuery, variables: { filter: { q: 'a\u0000b' } } });
    expect(failure.extensions?.['code']).toBe('INVALID_INPUT');
  });
});

describe('threads › orderBy', () => {
  it('is the last update first, unless another is asked for', async ({ service }) => {
    const { client, ids } = await withThreads(service, 5);
    await service.service.database.thread.update({ where: { id: ids[1] ?? '' }, data: { updatedAt: new Date() } });
    const order = async (orderBy?: object) => namesOf(await threadPage(client, { orderBy })).join('');
    expect(await order()).toBe('25431');
    expect(await order({})).toBe('25431');
    expect(await order({ direction: 'ASC' })).toBe('13452');
    expect(await order({ field: 'CREATED_AT' })).toBe('54321');
    expect(await order({ field: 'CREATED_AT', direction: 'ASC' })).toBe('12345');
  });

  it('by activity moves a thread when something is said in it, and by nothing that its owner does to it', async ({
    service,
  }) => {
    const { client, person, ids } = await withThreads(service, 5);
    const orderBy = { field: 'ACTIVE_AT' } as const;
    const order = async () => {
      // In pages of two, each after the one before.
      const names: (string | null)[] = [];
      for (let after: string | null = null; ; ) {
        const page = await threadPage(client, { orderBy, first: 2, after, filter: { archived: true } });
        names.push(...namesOf(page));
        after = page.pageInfo.endCursor ?? null;
        if (!page.pageInfo.hasNextPage) return names.join('');
      }
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
      const pages = [await threadPage(client, { first: 2, orderBy })];
      for (let last = pages[0]; last?.pageInfo.hasNextPage; last = pages.at(-1)) {
        pages.push(await threadPage(client, { first: 2, after: endOf(last), orderBy }));
      }
      expect(pages.flatMap(idsOf), `with ${what}`).toEqual(whole);
      expect(pages.map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual([false, true, true]);
    }
  });

  it('continue from where a remembered thread stood, even after it moved, as in REST', async ({ service }) => {
    const { client, person, ids } = await withThreads(service, 5);
    const first = await threadPage(client, { first: 2, remember: true });
    const last = idsOf(first).at(-1) ?? '';
    await service.service.database.thread.update({ where: { id: last }, data: { updatedAt: new Date() } });
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

  it.for([0, -1])('refuse %i as the size of a page', async (first, { graphql }) => {
    const failure = await graphql.failure({ query: threadsQuery, variables: { first } });
    expect(failure.extensions).toEqual({
      code: 'INVALID_INPUT',
      errors: [{ field: 'first', message: 'must be at least 1' }],
    });
  });

  it('have 50 threads by default and at most 200', async ({ service }) => {
    const { client } = await withThreads(service, 201);
    expect((await threadPage(client)).edges).toHaveLength(50);
    const { edges, pageInfo } = await threadPage(client, { first: 1000 });
    expect([edges.length, pageInfo.hasNextPage]).toEqual([200, true]);
  });

  it('refuse as a cursor what is none, and the id of a thread that the caller does not see', async ({
    service,
    bob,
    graphql,
  }) => {
    const hidden = await addThread(service, bob, { isPrivate: true });
    for (const after of ['', 'nonsense', `thr_${'0'.repeat(26)}`, `msg_${'0'.repeat(26)}`, 'a\u0000', hidden]) {
      const failure = await graphql.failure({ query: threadsQuery, variables: { after } });
      expect(failure.extensions, after).toEqual({ code: 'INVALID_CURSOR' });
    }
  });
});
