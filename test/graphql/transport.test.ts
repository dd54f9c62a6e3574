/** `/graphql` as an HTTP resource: which requests it takes, and how it refuses the others. */
import { describe, expect } from 'vitest';
import type { GraphQLResult } from '../support/clients/graphql-client.js';
import { it } from '../support/fixtures/service.js';

const mutation = 'mutation { createThread(input: {text: "Hi"}) { __typename } }';

async function failureOf(response: Response) {
  const { errors } = (await response.json()) as GraphQLResult;
  const { message, extensions } = errors?.[0] ?? {};
  return { status: response.status, message, ...extensions };
}

describe('a request that cannot be answered', () => {
  it.for([
    'subscription { threadsChanged @skip(if: true) { __typename } }',
    'subscription { ... @include(if: false) { threadsChanged { __typename } } }',
    'subscription { ...F } fragment F on Subscription { ...G } fragment G on Subscription { threadsChanged @skip(if: true) { __typename } }',
  ])('because its one field could be left out is the fault of its sender: %s', async (query, { graphql }) => {
    const accept = 'application/graphql-response+json, text/event-stream';
    const response = await graphql.post(JSON.stringify({ query }), { accept });
    expect(await failureOf(response)).toMatchObject({ status: 400, code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  it.for(['variables', 'extensions'])(
    'because %s of its URL are not JSON is the fault of its sender',
    async (name, { graphql }) => {
      const response = await graphql.fetch(`?query={me{sub}}&${name}={`, { headers: { 'x-graphql-yoga-csrf': '1' } });
      expect(await failureOf(response)).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    },
  );

  it('in a media type that it accepts is told which exist', async ({ graphql }) => {
    const response = await graphql.post(JSON.stringify({ query: '{ me { sub } }' }), { accept: 'text/html' });
    expect(await failureOf(response)).toMatchObject({
      status: 406,
      code: 'NOT_ACCEPTABLE',
      message: expect.stringContaining('application/json'),
    });
  });
});

describe('a response', () => {
  it.for([
    ['application/json;q=0, application/graphql-response+json', 'application/graphql-response+json'],
    ['application/graphql-response+json;q=0, application/json', 'application/json'],
    ['application/json;q=0.5, application/graphql-response+json', 'application/graphql-response+json'],
    ['application/graphql-response+json;q=0.5, application/json', 'application/json'],
  ] as const)('is of the type that is preferred: for %s, %s', async ([accept, type], { graphql }) => {
    const response = await graphql.post(JSON.stringify({ query: '{ me { sub } }' }), { accept });
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
  });

  // GraphQL over HTTP, Status Codes: with application/json, clients cannot tell a status of ours from that of a proxy.
  it.for([
    ['a document that cannot be parsed', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
    ['a document that is invalid', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['an unknown operation', { query: 'query A { me { sub } }', operationName: 'B' }, 'OPERATION_RESOLUTION_FAILURE'],
    ['a missing variable', { query: 'query ($id: ID!) { thread(id: $id) { id } }' }, 'BAD_USER_INPUT'],
  ] as const)('to %s is 200 as application/json, and else 400', async ([_what, body, code], { graphql }) => {
    for (const [accept, status] of [
      ['application/json', 200],
      ['application/graphql-response+json', 400],
    ] as const) {
      expect(await failureOf(await graphql.post(JSON.stringify(body), { accept }))).toMatchObject({ status, code });
    }
  });
});

describe('the body of a request', () => {
  it.for([1_050_000, 30_000_000])('is refused from 1 MiB on, with %i bytes as well', async (bytes, { graphql }) => {
    const response = await graphql.post(
      JSON.stringify({ query: '{ me { sub } }', variables: { x: 'x'.repeat(bytes) } }),
    );
    expect(response.headers.get('connection')).toBe('close');
    expect(await failureOf(response)).toMatchObject({
      status: 413,
      code: 'LIMIT_EXCEEDED',
      limit: 'bytes',
      maximum: 1_048_576,
    });
  });

  it('has room for the longest text, whatever its script and however it is escaped', async ({ graphql }) => {
    const query = 'mutation ($text: String!) { createThread(input: { text: $text }) { __typename } }';
    const body = JSON.stringify({ query, variables: { text: 'TEXT' } }).replace('TEXT', '\\u6f22'.repeat(100_000));
    const response = await graphql.post(body);
    expect(await response.json()).toEqual({ data: { createThread: { __typename: 'PostedMessage' } } });
  });

  it('is counted while it is read if its length is not announced', async ({ graphql }) => {
    const chunk = new TextEncoder().encode('x'.repeat(50_000));
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 200) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const headers = { 'content-type': 'application/json' };
    const response = await graphql.fetch('', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
    expect(await failureOf(response)).toMatchObject({ status: 413, limit: 'bytes' });
  });

  it.for([
    ['no JSON', '{"query": "{ me { sub } }", confidential'],
    ['no object', '"{ me { sub } }"'],
    ['no query', '{}'],
    ['a query that is no text', '{"query": 1}'],
    ['variables that are no object', '{"query": "{ me { sub } }", "variables": []}'],
    ['a batch', JSON.stringify([{ query: mutation }, { query: mutation }])],
  ] as const)('that is %s is refused, and not repeated', async ([_what, body], { graphql }) => {
    const response = await graphql.post(body, { accept: 'application/graphql-response+json' });
    const failure = await failureOf(response);
    expect(failure).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    expect(JSON.stringify(failure)).not.toContain('confidential');
  });
});

describe('the method of a request', () => {
  it('may be GET for a query', async ({ graphql }) => {
    const response = await graphql.fetch(`?query=${encodeURIComponent('{ me { role } }')}`);
    expect(await response.json()).toEqual({ data: { me: { role: 'MEMBER' } } });
  });

  it('must not be GET for a mutation', async ({ service, graphql }) => {
    const before = await service.database.thread.count();
    const response = await graphql.fetch(`?query=${encodeURIComponent(mutation)}`);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await failureOf(response)).toMatchObject({ status: 405, code: 'BAD_REQUEST' });
    expect(await service.database.thread.count()).toBe(before);
  });
});

it('every answer has a request id, is not stored by anybody, and keeps its media type', async ({ graphql }) => {
  const { headers } = await graphql.run('{ me { sub } }');
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('cache-control')).toContain('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
});
