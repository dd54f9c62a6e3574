/** How many bytes one answer may hold, however an operation asks for them. */
import { describe, expect } from 'vitest';
import { storeMessages } from '../../rest/messages/stored-messages.js';
import type { GraphQLResult } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { addThread } from '../../support/threads.js';

const mebibyte = 2 ** 20;
const refusal = { code: 'LIMIT_EXCEEDED', limit: 'answerBytes', maximum: 32 * mebibyte };
const count = 20;

const it = serviceTest().extend('threadId', { scope: 'file', auto: true }, ({ service, ada }) =>
  addThread(service, ada),
);
it.beforeAll(async ({ service, threadId }) => {
  const text = 'a'.repeat(100_000);
  await storeMessages(service, threadId, Array(count).fill({ contents: [{ type: 'text', text }] }));
});

const texts = (count: number) => Array.from({ length: count }, (_, index) => `t${index}: text`).join(' ');
const messages = (fields: string) => `thread(id: $id) { messages(first: 50) { edges { node { ${fields} } } } }`;

describe('an answer', () => {
  it.for([
    ['18 names for each text', `query ($id: ID!) { ${messages(`contents { ... on TextBlock { ${texts(18)} } }`)} }`],
    ['28 names for each text', `query ($id: ID!) { ${messages(`contents { ... on TextBlock { ${texts(28)} } }`)} }`],
    [
      '18 names for the list of blocks',
      `query ($id: ID!) { ${messages(Array.from({ length: 18 }, (_, n) => `c${n}: contents { ... on TextBlock { text } }`).join(' '))} }`,
    ],
    [
      'three names for the thread and six for each text',
      `query ($id: ID!) { ${['a', 'b', 'c'].map((name) => `${name}: ${messages(`contents { ... on TextBlock { ${texts(6)} } }`)}`).join(' ')} }`,
    ],
  ] as const)('of more than 32 MiB is refused whole: %s', async ([_what, query], { graphql, threadId }) => {
    const { status, body } = await graphql.run({ query, variables: { id: threadId } });
    expect([status, 'data' in body, body.errors?.map(({ extensions }) => extensions)]).toEqual([200, false, [refusal]]);
  });

  it('below the limit is sent', async ({ graphql, threadId }) => {
    const query = `query ($id: ID!) { ${messages(`contents { ... on TextBlock { ${texts(12)} } }`)} }`;
    expect(await graphql.data(query, { id: threadId })).toHaveProperty('thread.messages.edges.length', count);
  });

  it('does not repeat a long name for each item or error, but is refused', async ({ graphql, threadId }) => {
    const alias = 'a'.repeat(101);
    const failure = await graphql.failure({
      query: `query ($id: ID!) { ${messages(`${alias}: id`)} }`,
      variables: { id: threadId },
    });
    expect(failure.extensions).toEqual({ code: 'LIMIT_EXCEEDED', limit: 'nameLength', maximum: 100 });
    const undefinedNames = Array.from({ length: 25 }, (_, n) => `a${n}: node(id: $v${n}) { id }`).join(' ');
    const named = await graphql.run(`query ${'a'.repeat(100_000)} { ${undefinedNames} }`);
    expect(named.body.errors?.map(({ extensions }) => extensions)).toEqual([failure.extensions]);
    expect(
      (
        await graphql.run({
          query: `query ($id: ID!) { ${messages(`${alias.slice(1)}: id`)} }`,
          variables: { id: threadId },
        })
      ).body.errors,
    ).toBeUndefined();
  });

  it('is counted anew for each event of a subscription', async ({ graphql, threadId }) => {
    const page = `messages(first: 50) { edges { node { contents { ... on TextBlock { ${texts(18)} } } } } }`;
    const query = `subscription ($id: ID!) { threadChanged(id: $id) { ${page} } }`;
    const abort = new AbortController();
    const { results } = await graphql.subscribe({ query, variables: { id: threadId } }, abort.signal);
    const first = (await results.next()).value as GraphQLResult;
    expect(first.errors?.map(({ extensions }) => extensions)).toEqual([refusal]);
    abort.abort();
  });
});
