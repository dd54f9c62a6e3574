/** What a caller may ask for at once. Which limit refuses what is in `../attacks/attacks.test.ts`. */
import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { describe, expect } from 'vitest';
import type { PageBody, ThreadBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { attacks } from '../attacks/attack-cases.js';

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
