/** What an operation loads of messages is bounded on every path to them, also where it shows next to nothing of it. */
import { describe, expect } from 'vitest';
import { createId } from '../../../src/ids.js';
import { storeMessages } from '../../rest/messages/stored-messages.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { addThread } from '../../support/threads.js';

/** Each character takes six bytes in JSON, so 60 of these texts are more than 32 MiB. */
const text = '\u0001'.repeat(100_000);
const answers = 60;
const answerIds: string[] = [];

const it = serviceTest({ settings: { concurrency: 0 } })
  .extend('threadId', { scope: 'file', auto: true }, ({ service, ada }) => addThread(service, ada))
  .extend('questionId', { scope: 'file', auto: true }, async ({ service, threadId }) => {
    const [id = ''] = await storeMessages(service, threadId, [{ contents: [{ type: 'text', text: 'Hi' }] }]);
    return id;
  });
it.beforeAll(async ({ service, database, threadId, questionId }) => {
  const answer = { role: 'assistant' as const, contents: [{ type: 'text' as const, text }] };
  answerIds.push(...(await storeMessages(service, threadId, Array(answers).fill(answer))));
  for (const [position, id] of answerIds.entries())
    await database.message.update({ where: { id }, data: { replyToId: questionId, position } });
  const now = new Date();
  const ended = { status: 'succeeded' as const, createdAt: now, finishedAt: now };
  await database.response.create({ data: { messageId: questionId, threadId, ...ended } });
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
    async ([_name, field], { graphql, threadId, questionId }) => {
      const query = `{ ${field.replace('$thread', `"${threadId}"`).replace('$message', `"${questionId}"`)} }`;
      const { body } = await graphql.run(query);
      expect(['data' in body, body.errors?.map(({ extensions }) => extensions)]).toEqual([
        false,
        [{ code: 'LIMIT_EXCEEDED', limit: 'answerBytes', maximum: 32 * 2 ** 20 }],
      ]);
    },
  );

  it('are refused under many aliases as well, none of which selects all', async ({ graphql, threadId, questionId }) => {
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

describe('a message', () => {
  it('has its contents on every path, in the order of its blocks', async ({ graphql, threadId, questionId }) => {
    const threads = `query ($thread: ID!, $message: ID!) {
      message(threadId: $thread, id: $message) { contents { ... on TextBlock { text } } }
      node(id: $message) { ... on Message { contents { ... on TextBlock { text } } } }
    }`;
    const data = await graphql.data(threads, { thread: threadId, message: questionId });
    const said = { contents: [{ text: 'Hi' }] };
    expect(data).toEqual({ message: said, node: said });
    expect(await graphql.data('query ($id: ID!) { node(id: $id) { id } }', { id: createId('msg') })).toEqual({
      node: null,
    });
  });
});
