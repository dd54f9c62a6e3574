/** What a caller may ask for at once. A refusal says which limit it was, costs next to nothing, and runs nothing. */
import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { describe, expect } from 'vitest';
import type { Operation } from '../../support/clients/graphql-client.js';
import type { PageBody, ThreadBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import { leastBusyMs } from '../../support/machine-speed.js';
import type { Person, TestService } from '../../support/service.js';

function nested(levels: number): string {
  return `{ thread(id: "x") { ${'continuedFrom { '.repeat(levels - 2)} id ${'}'.repeat(levels - 2)} } }`;
}

const aliases = (count: number) => `{ ${Array.from({ length: count }, (_, n) => `a${n.toString(36)}:me{sub}`)} }`;
const directives = (count: number) => `{ me { sub ${'@a'.repeat(count)} } }`;
const pages = 'threads(first: $n) { edges { node { messages(first: $n) { edges { node { id } } } } } }';

const excessive: [what: string, limit: string, maximum: number, operation: Operation | string][] = [
  ['an operation that is nested 40 levels deep', 'depth', 12, nested(40)],
  ['100 aliases', 'aliases', 30, aliases(100)],
  [
    '20,000 aliases',
    'tokens',
    2000,
    `{ ${Array.from({ length: 20_000 }, (_, n) => `${n.toString(36)}:a`)} }`.replaceAll(/\b(\d)/g, 'z$1'),
  ],
  ['100 directives', 'directives', 50, directives(100)],
  ['20,000 directives', 'tokens', 2000, directives(20_000)],
  ['2,000 fields', 'tokens', 2000, `{ me { ${'sub '.repeat(2000)} } }`],
  ['pages of 200 inside of pages of 200', 'items', 3000, `{ ${pages.replaceAll('$n', '200')} }`],
  ['the same in a variable', 'items', 3000, { query: `query ($n: Int) { ${pages} }`, variables: { n: 200 } }],
  ['the same in a default value', 'items', 3000, { query: `query ($n: Int = 200) { ${pages} }` }],
  [
    'pages from the end',
    'items',
    3000,
    {
      query: `query ($n: Int) { ${pages.replace('$n', '20').replace('first: $n', 'last: $n')} }`,
      variables: { n: 200 },
    },
  ],
  ['the histories of a page of threads', 'items', 3000, '{ threads { edges { node { history { at } } } } }'],
  [
    'more than 500 values in the variables',
    'variables',
    500,
    { query: 'query ($x: ID!) { thread(id: $x) { id } }', variables: { x: Array.from({ length: 501 }, () => 1) } },
  ],
  [
    'values that are nested 600 levels deep',
    'variables',
    500,
    { query: '{ me { sub } }', variables: { x: JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`) as unknown } },
  ],
  [
    'pages in pages, in fragments',
    'items',
    3000,
    `{ ...A } fragment A on Query { threads(first: 200) { edges { node { ...B } } } }
     fragment B on Thread { messages(first: 200) { edges { cursor } } }`,
  ],
];

describe('limits of an operation', () => {
  it.for(excessive)('refuse %s by the limit of %s', async ([_what, limit, maximum, operation], { graphql }) => {
    const { result, ms } = await leastBusyMs(() => graphql.run(operation), { belowMs: 1000, tries: 3 });
    const { status, body } = result;
    expect(ms).toBeLessThan(1000);
    expect(body.data).toBeUndefined();
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'LIMIT_EXCEEDED', limit, maximum });
    expect(body.errors?.[0]?.message).toMatch(/than/);
    expect(status).toBe(200);
  });

  it('answer 400 to a client that asks for the media type of GraphQL', async ({ graphql }) => {
    const accept = 'application/graphql-response+json';
    for (const operation of [nested(40), directives(20_000), `{ ${pages.replaceAll('$n', '200')} }`]) {
      const { status, headers, body } = await graphql.run(operation, { accept });
      expect([status, body.errors?.[0]?.extensions?.['code']]).toEqual([400, 'LIMIT_EXCEEDED']);
      expect(headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
    }
  });

  it('hold for subscriptions too', async ({ graphql }) => {
    const thread = `thread { ${'continuedFrom { '.repeat(20)} id ${'}'.repeat(20)} }`;
    const query = `subscription { threadsChanged { ... on ThreadUpserted { ${thread} } } }`;
    const { results } = await graphql.subscribe({ query });
    expect((await results.next()).value).toMatchObject({ errors: [{ extensions: { limit: 'depth' } }] });
    expect(await results.next()).toMatchObject({ done: true });
  });

  it('do not apply to circular fragments, which GraphQL refuses by itself', async ({ graphql }) => {
    const query = '{ me { ...A } } fragment A on Identity { sub ...B } fragment B on Identity { name ...A }';
    const { extensions, message } = await graphql.failure(query);
    expect(extensions?.['code']).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(message).toBe('Cannot spread fragment "A" within itself via "B".');
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

  it('a page of 200 threads, and the first messages of a default page of threads, are within the limits', async ({
    graphql,
  }) => {
    const thread = 'id name state isPrivate archived owner { id name } createdAt updatedAt appUrl';
    await graphql.data(
      `query ($n: Int!) { threads(first: $n) { edges { cursor node { ${thread} } } pageInfo { endCursor hasNextPage } } }`,
      { n: 200 },
    );
    await graphql.data(
      '{ threads { edges { node { id messages { edges { node { id contents { __typename ... on TextBlock { text } } } } } } } } }',
    );
    const { errors } = (await graphql.run(aliases(30))).body;
    expect(errors).toBeUndefined();
  });

  it('no limit of GraphQL applies to the documents of REST', async ({ ada }) => {
    const { threadId, messageId } = await ada.rest.readyThread({ text: 'Hi' });
    const response = `/threads/${threadId}/messages/${messageId}/response`;
    for (const path of [
      '/me',
      '/threads?limit=200&q=hi',
      `/threads/${threadId}`,
      `/threads/${threadId}/messages?limit=200`,
      response,
    ]) {
      expect([path, (await ada.rest.get(path)).status]).toEqual([path, 200]);
    }
    const { limit, data } = (await ada.rest.get<PageBody<ThreadBody>>('/threads?limit=1000')).body;
    expect([limit, data.length]).toEqual([200, 1]);
  });
});

describe.each(['/graphql', '/graphql/stream'])(
  'POST %s › JSON that is nested far deeper than variables may be',
  (path) => {
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
  },
);
