/**
 * What an operation loads of messages is bounded on every path to them, also where it shows next to nothing of it. A page ends where it
 * has become large, whatever its limit; those who follow its end miss nothing.
 */
import { describe, expect } from 'vitest';
import { storeMessages } from '../../rest/messages/stored-messages.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { addThread } from '../../support/threads.js';

/** Each character takes six bytes in JSON, so 60 of these texts are more than 32 MiB. */
const text = '\u0001'.repeat(100_000);

/** A question with 60 such answers, and a thread of 20 such messages. */
const it = serviceTest({ settings: { concurrency: 0 } })
  .extend('asked', { scope: 'file' }, async ({ service, database, ada }) => {
    const threadId = await addThread(service, ada);
    const [questionId = ''] = await storeMessages(service, threadId, [{ contents: [{ type: 'text', text: 'Hi' }] }]);
    const answer = { role: 'assistant' as const, contents: [{ type: 'text' as const, text }] };
    const answerIds = await storeMessages(service, threadId, Array(60).fill(answer));
    for (const [position, id] of answerIds.entries())
      await database.message.update({ where: { id }, data: { replyToId: questionId, position } });
    const now = new Date();
    const ended = { status: 'succeeded' as const, createdAt: now, finishedAt: now };
    await database.response.create({ data: { messageId: questionId, threadId, ...ended } });
    return { threadId, questionId, answerIds };
  })
  .extend('paged', { scope: 'file' }, async ({ service, ada }) => {
    const threadId = await addThread(service, ada);
    const ids = await storeMessages(service, threadId, Array(20).fill({ contents: [{ type: 'text', text }] }));
    return { threadId, ids };
  });

const messages = 'messages { contents { __typename } }';
const response = `response { ... on ResponseComplete { ${messages} } }`;
const paths: Record<string, string> = {
  response: `response(threadId: $thread, messageId: $message) { ... on ResponseComplete { ${messages} } }`,
  message: `message(threadId: $thread, id: $message) { ${response} }`,
  node: `node(id: $message) { ... on Message { ${response} } }`,
  thread: `thread(id: $thread) { messages(first: 1) { edges { node { ${response} } } } }`,
  threads: `threads(first: 1) { edges { node { messages(first: 1) { edges { node { ${response} } } } } } }`,
};

describe('messages with more than 32 MiB of contents', () => {
  it.for(Object.entries(paths))(
    'are refused and not loaded, selected through %s',
    async ([_name, field], { graphql, asked: { threadId, questionId } }) => {
      const query = `{ ${field.replace('$thread', `"${threadId}"`).replace('$message', `"${questionId}"`)} }`;
      const { body } = await graphql.run(query);
      expect(['data' in body, body.errors?.map(({ extensions }) => extensions)]).toEqual([
        false,
        [{ code: 'LIMIT_EXCEEDED', limit: 'answerBytes', maximum: 32 * 2 ** 20 }],
      ]);
    },
  );

  it('are refused under many aliases as well, none of which selects all', async ({
    graphql,
    asked: { threadId, questionId, answerIds },
  }) => {
    const named = (part: readonly string[]) =>
      part.map((id, index) => `m${index}: message(threadId: "${threadId}", id: "${id}") { contents { __typename } }`);
    const half = answerIds.slice(0, 28);
    const query = `{ ${named(half).join(' ')}
      thread(id: "${threadId}") { messages(last: 200) { edges { node { contents { __typename } } } } }
      response(threadId: "${threadId}", messageId: "${questionId}") { ... on ResponseComplete { messages { id } } } }`;
    expect((await graphql.run(query)).body.errors).toBeUndefined();
    const both = `{ ${named(half).join(' ')}
      a: thread(id: "${threadId}") { messages(last: 200) { edges { node { contents { __typename } } } } }
      b: thread(id: "${threadId}") { messages(first: 200) { edges { node { contents { __typename } } } } } }`;
    expect((await graphql.run(both)).body.errors?.[0]?.extensions).toMatchObject({ limit: 'answerBytes' });
  });
});

const pageBytes = 8 * 2 ** 20;

describe('a page of long messages', () => {
  it('holds fewer than its limit in REST, and is continued by the next one', async ({
    ada,
    paged: { threadId, ids },
  }) => {
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

  it('works the same from the end, in GraphQL', async ({ ada, paged: { threadId, ids } }) => {
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

  it('is as long as its limit if no contents are selected', async ({ ada, paged: { threadId } }) => {
    const query = 'query ($id: ID!) { thread(id: $id) { messages(first: 200) { edges { node { id } } } } }';
    expect((await ada.graphql.data(query, { id: threadId })).thread.messages.edges).toHaveLength(20);
  });

  it('is refused together with so many others that the answer would be too large', async ({
    ada,
    paged: { threadId },
  }) => {
    const page = (name: string) => `${name}: messages(first: 200) { edges { node { contents { __typename } } } }`;
    const query = `query ($id: ID!) { thread(id: $id) { ${['a', 'b', 'c', 'd', 'e'].map(page).join(' ')} } }`;
    const failure = await ada.graphql.failure({ query, variables: { id: threadId } });
    expect(failure.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'answerBytes' });
  });
});
