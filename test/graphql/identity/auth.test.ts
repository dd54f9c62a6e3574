/**
 * Who may ask at all: a wrong token ends the whole request, a missing scope the field. Which scope each field needs is in
 * `test/graphql/visibility/visibility.test.ts`.
 */
import { describe, expect } from 'vitest';
import type { GraphQLResult } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';

describe('a request without a valid token', () => {
  const requests: [what: string, query: string, accept: string][] = [
    ['a query', '{ me { sub } }', '*/*'],
    ['a query of a client that wants the media type of GraphQL', '{ me { sub } }', 'application/graphql-response+json'],
    ['a mutation', 'mutation { createThread(input: {text: "Hi"}) { __typename } }', '*/*'],
    ['a subscription', 'subscription { responseEvents(messageId: "x") { __typename } }', 'text/event-stream'],
    ['introspection', '{ __schema { queryType { name } } }', '*/*'],
    ['an operation that does not fit the schema', '{ nothing }', '*/*'],
    ['no operation at all', '{', '*/*'],
  ];

  it.for(requests)('is 401 as a whole, in JSON: %s', async ([_what, query, accept], { service }) => {
    const response = await service.graphql().post(JSON.stringify({ query }), { accept });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="api"');
    expect(response.headers.get('content-type')).toContain('application/json');
    const body = (await response.json()) as GraphQLResult;
    expect(body).toEqual({
      errors: [
        {
          message: 'Send a personal access token as "Authorization: Bearer <token>".',
          extensions: { code: 'UNAUTHENTICATED', reason: 'missing' },
        },
      ],
    });
  });

  // Which tokens are none, and that nobody is told why, is in `test/rest/access/authentication.test.ts`.
  it('is 401 with a token that is none', async ({ service }) => {
    const authorization = `Bearer skn_pat_${'a'.repeat(36)}`;
    const { status, headers, body } = await service.graphql().run('{ me { sub } }', { authorization });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED', reason: 'invalid' });
  });

  it('is refused before its body is read', async ({ service }) => {
    const response = await service.graphql().post('x'.repeat(300_000));
    expect(response.status).toBe(401);
  });
});

describe('a root field without its scope', () => {
  it('does not keep the other fields of the operation from being answered', async ({ service, ada }) => {
    const graphql = service.graphql(await service.token(ada.id, ['me:read']));
    const { status, body } = await graphql.run('{ me { sub } thread(id: "x") { id } }');
    expect(status).toBe(200);
    expect(body.data).toEqual({ me: { sub: ada.id }, thread: null });
    expect(body.errors?.map(({ path, extensions }) => [path, extensions])).toEqual([
      [['thread'], { code: 'MISSING_SCOPE', requiredScope: 'threads:read' }],
    ]);
  });
});
