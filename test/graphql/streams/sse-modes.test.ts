/**
 * `/graphql/stream` with graphql-sse's own client, over a connection of its own for each operation or over a shared one. That it runs
 * each kind of operation, and resumes, is in `test/examples`.
 */
import { describe, expect, vi } from 'vitest';
import { activeThread } from '../../rest/threads/thread-stages.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { follow, sseClient, subscribe, textOf } from './sse-clients.js';

const patience = { timeout: 10_000 };
const readers = (service: TestService) => service.service.tokenLog.stats().readers;

describe.each([
  ['a connection an operation', false],
  ['one connection for all', true],
])('graphql-sse’s client with %s', (_what, singleConnection) => {
  const client = (service: TestService, ada: Person) => sseClient({ service, person: ada, singleConnection });

  it('unsubscribes from one of several, and the others continue', async ({ service, ada }) => {
    const sse = client(service, ada);
    const active = await activeThread({ service, rest: ada.rest });
    const [left, stays] = [follow(sse, active), follow(sse, active)];
    await vi.waitFor(() => expect([textOf(left), textOf(stays)]).toEqual(['Hel', 'Hel']), patience);
    await vi.waitFor(() => expect(readers(service)).toBe(2), patience);
    left.unsubscribe();
    await vi.waitFor(() => expect(readers(service)).toBe(1), patience);
    active.finish();
    await Promise.all([left.end, stays.end]);
    expect([textOf(left), textOf(stays)]).toEqual(['Hel', 'Hello']);
    sse.dispose();
    await vi.waitFor(() => expect(readers(service)).toBe(0), patience);
  });

  it.for([
    ['that cannot be read', '{ me {', 'GRAPHQL_PARSE_FAILED'],
    ['that does not fit the schema', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'that is too deep',
      `{ thread(id: "thr_1") { ${'continuedFrom { '.repeat(20)} id ${'}'.repeat(20)} } }`,
      'LIMIT_EXCEEDED',
    ],
    ['whose argument does not fit', 'query ($id: ID!) { thread(id: $id) { id } }', 'BAD_USER_INPUT'],
    ['that asks for what is not there', '{ thread(id: "thr_none") { id } }', 'NOT_FOUND'],
  ] as const)(
    'gets the errors of an operation %s as its one result',
    async ([_which, query, code], { service, ada }) => {
      const sse = client(service, ada);
      const { results, end } = subscribe(sse, { query });
      await end;
      expect(results).toHaveLength(1);
      const { extensions, message } = results[0]?.errors?.[0] ?? {};
      expect(extensions?.['code'], message).toBe(code);
      expect(Object.keys(extensions ?? {})).not.toContain('http');
      sse.dispose();
    },
  );
});
