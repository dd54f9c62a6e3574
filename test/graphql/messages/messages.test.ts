/** The messages of a thread as a connection. Which of them are on which page is in `messages-backwards.test.ts`. */
import { describe, expect } from 'vitest';
import { numbered, storeMessages } from '../../rest/messages/stored-messages.js';
import { it } from '../../support/fixtures/service.js';
import { addThread } from '../../support/threads.js';
import { idsOf, messagePage } from './message-pages.js';

describe('messages', () => {
  it('leave out what a summary replaced, unless it is asked for', async ({ service, ada, graphql }) => {
    const id = await addThread(service, ada);
    const ids = await storeMessages(service, id, [
      { active: false },
      { active: false, role: 'assistant' },
      { role: 'summary', contents: [{ type: 'text', text: 'They met.' }] },
      ...numbered(1),
    ]);
    for (const includeInactive of [undefined, false])
      expect(idsOf(await messagePage(graphql, { id, includeInactive }))).toEqual(ids.slice(2));
    const all = await messagePage(graphql, { id, includeInactive: true });
    expect(all.edges.map(({ node }) => [node.id, node.role, node.active])).toEqual([
      [ids[0], 'USER', false],
      [ids[1], 'ASSISTANT', false],
      [ids[2], 'SUMMARY', true],
      [ids[3], 'USER', true],
    ]);
  });

  it('have page information that matches the edges, and nulls for an empty page', async ({ service, ada, graphql }) => {
    const id = await addThread(service, ada);
    await storeMessages(service, id, numbered(2));
    const { edges, pageInfo } = await messagePage(graphql, { id });
    const ends = { startCursor: edges[0]?.cursor, endCursor: edges[1]?.cursor };
    expect(pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: false, ...ends });
    expect(await messagePage(graphql, { id, after: pageInfo.endCursor })).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    });
  });
});
