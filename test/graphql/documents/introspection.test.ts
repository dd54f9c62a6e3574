/** What shows the schema, and to whom: introspection and GraphiQL, each by its setting. */
import { getIntrospectionQuery } from 'graphql';
import { describe, expect } from 'vitest';
import { serviceTest } from '../../support/fixtures/service.js';
import { StreamClient } from '../streams/stream-client.js';

const it = serviceTest().extend('closed', { scope: 'file' }, ({ startService }) =>
  startService({ environment: { GRAPHQL_INTROSPECTION: 'off', GRAPHIQL: 'on' } }),
);

const query = getIntrospectionQuery();

describe('introspection', () => {
  it('requires a token', async ({ service, graphql }) => {
    const { status, body } = await graphql.run(query);
    expect([status, body.errors]).toEqual([200, undefined]);
    expect((await service.graphql().run(query)).status).toBe(401);
  });

  it('is refused on every endpoint if it is off, while __typename still works', async ({ closed }) => {
    const { token } = await closed.person();
    const graphql = closed.graphql(token);
    for (const asked of [
      query,
      '{ __type(name: "Thread") { name } }',
      '{ me { sub } __schema { queryType { name } } }',
    ]) {
      const stream = await new StreamClient(closed.url, token).open({ method: 'POST', body: { query: asked } });
      await stream.end;
      for (const { data, errors } of [(await graphql.run(asked)).body, stream.messages[0]?.payload ?? {}]) {
        expect(data ?? null).toBeNull();
        expect(errors?.[0]?.extensions?.['code']).toBe('GRAPHQL_VALIDATION_FAILED');
        expect(errors?.[0]?.message).toContain('introspection');
      }
    }
    expect(await graphql.data('{ me { __typename } }')).toEqual({ me: { __typename: 'Identity' } });
    expect((await graphql.run('{ me { sub } }')).body.errors).toBeUndefined();
  });
});

describe('GraphiQL', () => {
  it('is off by default', async ({ service }) => {
    const response = await fetch(`${service.url}/graphql`, { headers: { accept: 'text/html' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8']);
  });

  it('is a page whose policy allows its own scripts alone, and nothing from elsewhere', async ({ closed }) => {
    const page = await fetch(`${closed.url}/graphql`, { headers: { accept: 'text/html,*/*' } });
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html).toContain('Skein GraphiQL');
    expect(html).not.toMatch(/<(script|link|img)[^>]+(src|href)="?https?:/);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[A-Za-z0-9+/]{43}='/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  });

  it('is for browsers: a program still needs its token', async ({ closed }) => {
    const program = await fetch(`${closed.url}/graphql`, { headers: { accept: 'application/json' } });
    expect(program.status).toBe(401);
  });
});
