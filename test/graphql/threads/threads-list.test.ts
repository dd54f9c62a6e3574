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
});
