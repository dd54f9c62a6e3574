/** The messages of a thread as a connection. */
import { describe, expect } from 'vitest';
import { numbered, storeMessages } from '../../rest/messages/stored-messages.js';
import type { GraphQLClient } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread } from '../../support/threads.js';
import { idsOf, type MessagePage, messagePage, messagesQuery } from './message-pages.js';

const page = (graphql: GraphQLClient, id: string, variables: Record<string, unknown> = {}) =>
  messagePage(graphql, { id, ...variables });

async function withMessages(service: TestService, ada: Person, count: number): Promise<{ id: string; ids: string[] }> {
  const id = await addThread(service, ada);
  return { id, ids: await storeMessages(service, id, numbered(count)) };
}

/** A thread of four messages, the first two of which a summary replaced. */
async function summarized(
  service: TestService,
  ada: Person,
): Promise<{ id: string; old: string[]; summary: string; recent: string[] }> {
  const id = await addThread(service, ada);
  const said = { active: false, contents: [{ type: 'text' as const, text: 'Long ago' }] };
  const [first = '', second = '', summary = '', third = '', fourth = ''] = await storeMessages(service, id, [
    said,
    { ...said, role: 'assistant' },
    { role: 'summary', contents: [{ type: 'text', text: 'They met.' }] },
    ...numbered(2),
  ]);
  return { id, old: [first, second], summary, recent: [third, fourth] };
}

describe('messages', () => {
  it.for([
    ['cursors', ({ pageInfo }: MessagePage) => pageInfo.endCursor],
    ['ids', (messages: MessagePage) => idsOf(messages).at(-1)],
  ] as const)('come oldest first, page by page, with %s', async ([_what, endOf], { service, ada, graphql }) => {
    const { id, ids } = await withMessages(service, ada, 5);
    const pages = [await page(graphql, id, { first: 2 })];
    for (let last = pages[0]; last?.pageInfo.hasNextPage; last = pages.at(-1)) {
      pages.push(await page(graphql, id, { first: 2, after: endOf(last) }));
    }
    expect(pages.map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(pages.map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual([false, true, true]);
  });

  it('leave out what a summary replaced, unless it is asked for', async ({ service, ada, graphql }) => {
    const { id, old, summary, recent } = await summarized(service, ada);
    expect(idsOf(await page(graphql, id))).toEqual([summary, ...recent]);
    expect(idsOf(await page(graphql, id, { includeInactive: false }))).toEqual([summary, ...recent]);
    const all = await page(graphql, id, { includeInactive: true });
    expect(all.edges.map(({ node }) => [node.id, node.role, node.active])).toEqual([
      [old[0], 'USER', false],
      [old[1], 'ASSISTANT', false],
      [summary, 'SUMMARY', true],
      [recent[0], 'USER', true],
      [recent[1], 'USER', true],
    ]);
  });

  it('continue after a message that a summary has replaced meanwhile', async ({ service, ada, graphql }) => {
    const { id, old, summary, recent } = await summarized(service, ada);
    expect(idsOf(await page(graphql, id, { after: old[1] }))).toEqual([summary, ...recent]);
  });

  it('have page information that matches the edges, and nulls for an empty page', async ({ service, ada, graphql }) => {
    const { id } = await withMessages(service, ada, 2);
    const { edges, pageInfo } = await page(graphql, id);
    const ends = { startCursor: edges[0]?.cursor, endCursor: edges[1]?.cursor };
    expect(pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: false, ...ends });
    expect(await page(graphql, id, { after: pageInfo.endCursor })).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    });
  });

  it('are 50 by default and clamped to 200; a size below one is rejected', async ({ service, ada, graphql }) => {
    const { id } = await withMessages(service, ada, 201);
    expect((await page(graphql, id)).edges).toHaveLength(50);
    const { edges, pageInfo } = await page(graphql, id, { first: 1000 });
    expect([edges.length, pageInfo.hasNextPage]).toEqual([200, true]);
    const failure = await graphql.failure({ query: messagesQuery, variables: { id, first: 0 } });
    expect(failure.extensions?.['code']).toBe('INVALID_INPUT');
  });

  it('refuse as a cursor what is none, and the id of a message of another thread', async ({
    service,
    ada,
    graphql,
  }) => {
    const [{ id }, other] = [await withMessages(service, ada, 1), await withMessages(service, ada, 1)];
    for (const after of ['', 'nonsense', 'msg_00000000000000000000000000', 'bTk5OTk5OTk5OTk5', other.ids[0]]) {
      const failure = await graphql.failure({ query: messagesQuery, variables: { id, after } });
      expect(failure.extensions, after).toEqual({ code: 'INVALID_CURSOR' });
    }
  });
});
