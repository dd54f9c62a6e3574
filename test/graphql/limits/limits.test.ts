/** What a caller may ask for at once. Which limit refuses what is in `../attacks/attacks.test.ts`. */
import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { describe, expect } from 'vitest';
import { createId } from '../../../src/ids.js';
import { storeMessages } from '../../rest/messages/stored-messages.js';
import type { GraphQLClient, GraphQLResult } from '../../support/clients/graphql-client.js';
import type { PageBody, ThreadBody } from '../../support/clients/rest-types.js';
import { it as test } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread, newcomer, personWithThreads } from '../../support/threads.js';
import { attacks } from '../attacks/attack-cases.js';

const mebibyte = 2 ** 20;
const answerRefusal = { code: 'LIMIT_EXCEEDED', limit: 'answerBytes', maximum: 32 * mebibyte };
const count = 20;

/** Somebody with a thread of 20 messages as long as there may be. */
const it = test.extend('long', { scope: 'file' }, async ({ service }) => {
  const person = await newcomer(service);
  const threadId = await addThread(service, person);
  const text = 'a'.repeat(100_000);
  await storeMessages(service, threadId, Array(count).fill({ contents: [{ type: 'text', text }] }));
  return { ...person, threadId };
});

describe('limits of an operation', () => {
  it('answer 400 to a client that asks for the media type of GraphQL, and 200 to others', async ({ graphql }) => {
    const accept = 'application/graphql-response+json';
    for (const name of ['an operation nested 40 levels deep', '20,000 directives', 'pages of 200 in pages of 200']) {
      const operation = JSON.parse(attacks[name]?.body ?? '') as { query: string };
      const { status, headers, body } = await graphql.run(operation, { accept });
      expect([status, body.errors?.[0]?.extensions?.['code']]).toEqual([400, 'LIMIT_EXCEEDED']);
      expect(body.errors?.[0]?.message).toMatch(/than/);
      expect(headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
      expect((await graphql.run(operation)).status).toBe(200);
    }
  });

  it('hold for subscriptions too', async ({ graphql }) => {
    const thread = `thread { ${'continuedFrom { '.repeat(20)} id ${'}'.repeat(20)} }`;
    const query = `subscription { threadsChanged { ... on ThreadUpserted { ${thread} } } }`;
    const { results } = await graphql.subscribe({ query });
    expect((await results.next()).value).toMatchObject({ errors: [{ extensions: { limit: 'depth' } }] });
    expect(await results.next()).toMatchObject({ done: true });
  });
});

describe('what clients need', () => {
  it('the usual introspection query is answered', async ({ graphql }) => {
    const data = await graphql.data(getIntrospectionQuery());
    const { __schema } = data as Record<string, unknown> & IntrospectionQuery;
    expect(__schema.types.length).toBeGreaterThan(30);
  });

  it('recursive introspection is refused', async ({ graphql }) => {
    const failure = await graphql.failure(
      `{ __schema { types { ${'fields { type { '.repeat(5)} name ${'} }'.repeat(5)} } } }`,
    );
    expect(failure.message).toBe('Maximum introspection depth exceeded');
  });

  it('a page of 200 threads, and the messages of a default page, are within the limits', async ({ graphql }) => {
    const thread = 'id name state isPrivate archived owner { id name } createdAt updatedAt appUrl';
    await graphql.data(
      `query ($n: Int!) { threads(first: $n) { edges { cursor node { ${thread} } } pageInfo { endCursor hasNextPage } } }`,
      { n: 200 },
    );
    await graphql.data(
      '{ threads { edges { node { id messages { edges { node { id contents { __typename ... on TextBlock { text } } } } } } } } }',
    );
    const { errors } = (await graphql.run(`{ ${Array.from({ length: 30 }, (_, n) => `a${n}:me{sub}`)} }`)).body;
    expect(errors).toBeUndefined();
  });

  it('no limit of GraphQL applies to the documents of REST', async ({ ada }) => {
    const { threadId, messageId } = await ada.rest.readyThread({ text: 'Hi' });
    const response = `/threads/${threadId}/messages/${messageId}/response`;
    for (const path of [
      ...['/me', '/threads?limit=200&q=hi', `/threads/${threadId}`, `/threads/${threadId}/messages?limit=200`],
      response,
    ]) {
      expect([path, (await ada.rest.get(path)).status]).toEqual([path, 200]);
    }
    const { limit, data } = (await ada.rest.get<PageBody<ThreadBody>>('/threads?limit=1000')).body;
    expect([limit, data.length]).toEqual([200, 1]);
  });
});

describe.each(['/graphql', '/graphql/stream'])('POST %s › JSON nested far deeper than variables may be', (path) => {
  const post = async (service: TestService, ada: Person, body: string) => {
    const headers = {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    };
    const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
    return response.text();
  };

  it.for([
    ['brackets', '['.repeat(1100)],
    ['braces', '{"a":'.repeat(1100)],
    ['both', '[{"a":'.repeat(550)],
  ] as const)('is refused before it is parsed: %s that never end', async ([_name, text], { service, ada }) => {
    expect(await post(service, ada, `{"query": "{ me { sub } }", "variables": {"x": ${text}`)).toContain(
      '"limit":"variables"',
    );
  });

  it('does not count brackets in a string', async ({ service, ada }) => {
    const text = JSON.stringify(`\\"${'[{'.repeat(1100)}"\\\\`);
    const query = JSON.stringify('query ($id: ID!) { node(id: $id) { id } }');
    const long = `{"query": ${query}, "variables": {"id": ${text.slice(0, 120)}"}}`;
    expect(await post(service, ada, long)).toContain('"node":null');
    expect(await post(service, ada, `{"query": "{ me { sub } }", "variables": {"id": ${text}}}`)).toContain(
      '"sub":"usr_',
    );
  });

  it('counts levels and not brackets', async ({ service, ada }) => {
    const many = `[${Array.from({ length: 200 }, () => '[[]]').join()}]`;
    expect(await post(service, ada, `{"query": "{ me { sub } }", "variables": {"x": ${many}}}`)).toContain(
      '"sub":"usr_',
    );
  });
});

/** For what nobody gave out, as long as a request may be, the answer is short, and says what is wrong. */
async function refusal(graphql: GraphQLClient, query: string, variables: Record<string, unknown>) {
  const response = await graphql.post(JSON.stringify({ query, variables }));
  const text = await response.text();
  expect(text.length, text.slice(0, 300)).toBeLessThan(3000);
  return (JSON.parse(text) as { errors: { message: string; extensions: { code: string } }[] }).errors[0];
}

describe('a long cursor', () => {
  it('is not repeated in every edge of a list of threads', async ({ service }) => {
    const { graphql } = await personWithThreads(service, Array<string>(20).fill('Any'));
    const xids = Array.from({ length: 12_000 }, (_, index) => 10_000 + index).join(',');
    const moment = '2999-01-01 00:00:00+00';
    const parts = [moment, createId('thr'), `10000:90000:${xids}`, moment];
    const after = Buffer.from(parts.join('|')).toString('base64url');
    expect(after.length).toBeGreaterThan(90_000);
    const failure = await refusal(graphql, 'query ($after: String) { threads(after: $after) { edges { cursor } } }', {
      after,
    });
    expect(failure?.extensions.code).toBe('INVALID_CURSOR');
  });

  it('is refused for the messages of a thread', async ({ ada, graphql }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const query =
      'query ($id: ID!, $c: String) { thread(id: $id) { messages(after: $c, before: $c) { edges { cursor } } } }';
    expect((await refusal(graphql, query, { id: threadId, c: 'bTE'.repeat(60_000) }))?.extensions.code).toBe(
      'INVALID_CURSOR',
    );
  });
});

describe('a long id', () => {
  const long = 'x'.repeat(200_000);
  const send = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename } }';

  it.for([
    ['an argument', 'query ($id: ID!) { thread(id: $id) { id } }', { id: long }],
    ['a field of an input', send, { input: { threadId: long, text: 'Hi' } }],
    ['one of a list', send, { input: { threadId: 'x', text: 'Hi', attachmentIds: [long] } }],
    ['a literal', `{ thread(id: "${long}") { id } }`, {}],
  ] as const)('is refused as %s', async ([_what, query, variables], { graphql }) => {
    const failure = await refusal(graphql, query, variables);
    expect(failure?.extensions).toEqual({ code: 'LIMIT_EXCEEDED', limit: 'idLength', maximum: 255 });
  });

  it('is not found in REST', async ({ ada }) => {
    const path = `/threads/${'x'.repeat(8000)}/messages`;
    expect((await ada.rest.get(path)).status).toBe(404);
    expect((await ada.rest.get(`${path}/${'é'.repeat(1000)}/response`)).status).toBe(404);
  });
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
  ] as const)('of more than 32 MiB is refused whole: %s', async ([_what, query], { long: { graphql, threadId } }) => {
    const { status, body } = await graphql.run({ query, variables: { id: threadId } });
    expect([status, 'data' in body, body.errors?.map(({ extensions }) => extensions)]).toEqual([
      200,
      false,
      [answerRefusal],
    ]);
  });

  it('below the limit is sent', async ({ long: { graphql, threadId } }) => {
    const query = `query ($id: ID!) { ${messages(`contents { ... on TextBlock { ${texts(12)} } }`)} }`;
    expect(await graphql.data(query, { id: threadId })).toHaveProperty('thread.messages.edges.length', count);
  });

  it('does not repeat a long name for each item or error, but is refused', async ({ long: { graphql, threadId } }) => {
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

  it('is counted anew for each event of a subscription', async ({ long: { graphql, threadId } }) => {
    const page = `messages(first: 50) { edges { node { contents { ... on TextBlock { ${texts(18)} } } } } }`;
    const query = `subscription ($id: ID!) { threadChanged(id: $id) { ${page} } }`;
    const abort = new AbortController();
    const { results } = await graphql.subscribe({ query, variables: { id: threadId } }, abort.signal);
    const first = (await results.next()).value as GraphQLResult;
    expect(first.errors?.map(({ extensions }) => extensions)).toEqual([answerRefusal]);
    abort.abort();
  });
});
