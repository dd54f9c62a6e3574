/** A page of messages ends where it has become large, whatever its limit; those who follow its end miss nothing. */
import { describe, expect } from 'vitest';
import { storeMessages } from '../../rest/messages/stored-messages.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { addThread } from '../../support/threads.js';

const pageBytes = 8 * 2 ** 20;
/** Each character takes six bytes in JSON. */
const text = '\u0001'.repeat(100_000);
const ids: string[] = [];

const it = serviceTest().extend('threadId', { scope: 'file', auto: true }, ({ service, ada }) =>
  addThread(service, ada),
);
it.beforeAll(async ({ service, threadId }) => {
  ids.push(...(await storeMessages(service, threadId, Array(20).fill({ contents: [{ type: 'text', text }] }))));
});

describe('a page of long messages', () => {
  it('holds fewer than its limit in REST, and is continued by the next one', async ({ ada, threadId }) => {
    const pages: string[][] = [];
    for (let after = ''; ; ) {
      const { status, body } = await ada.rest.get<PageBody<MessageBody>>(
        `/threads/${threadId}/messages?limit=200${after}`,
      );
      expect([status, body.limit]).toEqual([200, 200]);
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(pageBytes + 700_000);
      expect(
        body.data.every(({ contents }) => JSON.stringify(contents) === JSON.stringify([{ type: 'text', text }])),
      ).toBe(true);
      pages.push(body.data.map(({ id }) => id));
      if (!body.has_more) break;
      after = `&after=${body.last_id}`;
    }
    expect(pages.map(({ length }) => length)).toEqual([14, 6]);
    expect(pages.flat()).toEqual(ids);
  });

  it('works the same from the end, in GraphQL', async ({ ada, threadId }) => {
    const query = `query ($id: ID!, $before: String) { thread(id: $id) { messages(last: 200, before: $before) {
      edges { node { id contents { __typename } } } pageInfo { hasPreviousPage startCursor } } } }`;
    const newest = (await ada.graphql.data(query, { id: threadId })).thread.messages;
    expect(newest.pageInfo.hasPreviousPage).toBe(true);
    const before = newest.pageInfo.startCursor;
    const older = (await ada.graphql.data(query, { id: threadId, before })).thread.messages;
    expect(older.pageInfo.hasPreviousPage).toBe(false);
    expect([...older.edges, ...newest.edges].map(({ node }) => node.id)).toEqual(ids);
    expect(newest.edges).toHaveLength(14);
  });

  it('is as long as its limit if no contents are selected', async ({ ada, threadId }) => {
    const query = 'query ($id: ID!) { thread(id: $id) { messages(first: 200) { edges { node { id } } } } }';
    expect((await ada.graphql.data(query, { id: threadId })).thread.messages.edges).toHaveLength(20);
  });

  it('is refused together with so many others that the answer would be too large', async ({ ada, threadId }) => {
    const page = (name: string) => `${name}: messages(first: 200) { edges { node { contents { __typename } } } }`;
    const query = `query ($id: ID!) { thread(id: $id) { ${['a', 'b', 'c', 'd', 'e'].map(page).join(' ')} } }`;
    const failure = await ada.graphql.failure({ query, variables: { id: threadId } });
    expect(failure.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'answerBytes' });
  });
});
