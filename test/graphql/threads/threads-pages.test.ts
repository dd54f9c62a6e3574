/** The pages of the connection over threads: cursors and ids, sizes, page information. */
import { describe, expect } from 'vitest';
import { it } from '../../support/fixtures/service.js';
import { addThread, listIds } from '../../support/threads.js';
import { idsOf, type ThreadPage, threadPage, threadsQuery, withThreads } from './thread-pages.js';

const ends = {
  'the cursor of the page': ({ pageInfo }: ThreadPage) => pageInfo.endCursor,
  'the cursor of the last edge': ({ edges }: ThreadPage) => edges.at(-1)?.cursor,
  'the id of the last thread': (page: ThreadPage) => idsOf(page).at(-1),
};
const orders = (['UPDATED_AT', 'CREATED_AT'] as const).flatMap((field) =>
  (['ASC', 'DESC'] as const).map((direction) => ({ field, direction })),
);
const readings = orders.flatMap((orderBy) =>
  Object.entries(ends).map(([what, endOf]) => ({ ...orderBy, what, endOf })),
);

describe('threads › first and after', () => {
  it.for(readings)(
    'return all threads page by page, by $field $direction with $what',
    async ({ field, direction, endOf }, { service }) => {
      const { client } = await withThreads(service, 5);
      const orderBy = { field, direction };
      const pages = [await threadPage(client, { first: 2, orderBy })];
      for (let last = pages[0]; last?.pageInfo.hasNextPage; last = pages.at(-1)) {
        pages.push(await threadPage(client, { first: 2, after: endOf(last), orderBy }));
      }
      expect(pages.flatMap(idsOf)).toEqual(idsOf(await threadPage(client, { orderBy })));
      expect(pages.map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual([false, true, true]);
    },
  );

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

  it.for(['', 'nonsense', 'thr_00000000000000000000000000', 'msg_00000000000000000000000000', 'a\u0000'])(
    'refuse %j as a cursor',
    async (after, { graphql }) => {
      expect((await graphql.failure({ query: threadsQuery, variables: { after } })).extensions).toEqual({
        code: 'INVALID_CURSOR',
      });
    },
  );

  it('refuse the id of a thread that the caller does not see like one that does not exist', async ({
    service,
    bob,
    graphql,
  }) => {
    const hidden = await addThread(service, bob, { isPrivate: true });
    expect((await graphql.failure({ query: threadsQuery, variables: { after: hidden } })).extensions).toEqual({
      code: 'INVALID_CURSOR',
    });
  });
});
