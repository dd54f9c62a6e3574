/**
 * The scalar DateTime, as a variable and in a document: it compares by the moment, and refuses what is none. How a moment may be written
 * is in `test/contract/date-time.test.ts`.
 */
import { describe, expect } from 'vitest';
import type { Data } from '../support/clients/graphql-client.js';
import { serviceTest } from '../support/fixtures/service.js';
import { addThread } from '../support/threads.js';

const it = serviceTest().extend('id', { scope: 'file', auto: true }, ({ service, ada }) =>
  addThread(service, ada, { updatedAt: new Date('2026-03-01T12:00:00.500Z') }),
);

const query =
  'query ($since: DateTime) { threads(filter: {updatedSince: $since}) { edges { node { id updatedAt } } } }';
const literal = (since: string) => `{ threads(filter: {updatedSince: ${since}}) { edges { node { id updatedAt } } } }`;

describe('DateTime', () => {
  it('is written in UTC, with milliseconds', async ({ graphql, id }) => {
    const { threads } = await graphql.data('{ threads { edges { node { id updatedAt } } } }');
    expect(threads.edges).toEqual([{ node: { id, updatedAt: '2026-03-01T12:00:00.500Z' } }]);
  });

  it.for([
    ['2026-03-01T12:00:00.499Z', 1],
    ['2026-03-01T12:00:00.500Z', 0],
    ['2026-03-01T13:00:00.499+01:00', 1],
    ['9999-12-31T23:59:59-23:59', 0],
  ] as const)('takes %s, and compares by it', async ([since, count], { graphql }) => {
    expect((await graphql.data(query, { since })).threads.edges).toHaveLength(count);
    const { threads } = (await graphql.data(literal(`"${since}"`))) as Data<typeof query>;
    expect(threads.edges).toHaveLength(count);
  });

  const wrong = ['yesterday', '2026-02-30T00:00:00Z', 1_772_366_400_000, true, {}];

  it.for(wrong)('refuses %j as a variable, as the caller’s mistake', async (since, { service, graphql }) => {
    const { message, extensions } = await graphql.failure({ query, variables: { since } });
    expect(extensions).toEqual({ code: 'BAD_USER_INPUT' });
    expect(message).toMatch(/^Variable "\$since" got invalid value .*A DateTime must be/);
    expect(service.log.join('')).not.toContain('an operation failed');
  });

  it.for(wrong)('refuses %j in a document, and says where', async (since, { graphql }) => {
    const value = since === Object(since) ? '{}' : JSON.stringify(since);
    const { errors } = (await graphql.run(literal(value))).body;
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' }, locations: [{ line: 1 }] });
    expect(errors?.[0]?.message).toContain('A DateTime must be');
  });
});
