/** Which threads a client lists, and in which order. */
import { describe, expect } from 'vitest';
import { it } from '../../support/fixtures/service.js';
import { addThreads } from '../../support/threads.js';
import { namesOf, threadPage, threadsQuery, withThreads } from './thread-pages.js';

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
