/** `/graphql/stream` with graphql-sse's own client: every kind of operation, over a connection of its own or over a shared one. */
import { describe, expect, vi } from 'vitest';
import { activeThread } from '../../rest/threads/thread-stages.js';
import { it } from '../../support/fixtures/service.js';
import { text } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { follow, sseClient, subscribe, textOf } from './sse-clients.js';

const patience = { timeout: 10_000 };
const readers = (service: TestService) => service.service.tokenLog.stats().readers;

describe.each([
  ['a connection an operation', false],
  ['one connection for all', true],
])('graphql-sse’s client with %s', (_what, singleConnection) => {
  const client = (service: TestService, ada: Person) => sseClient({ service, person: ada, singleConnection });

  it('runs a query', async ({ service, ada }) => {
    const sse = client(service, ada);
    const { results, end } = subscribe(sse, { query: '{ me { sub } }' });
    await end;
    expect(results).toEqual([{ data: { me: { sub: ada.id } } }]);
    sse.dispose();
  });

  it('runs a mutation, once', async ({ service, ada }) => {
    const sse = client(service, ada);
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const query = `mutation ($id: ID!) { sendMessage(input: {threadId: $id, text: "And?"}) {
      type: __typename ... on PostedMessage { messageId } } }`;
    const { results, end } = subscribe(sse, { query, variables: { id: threadId } });
    await end;
    expect(results).toMatchObject([{ data: { sendMessage: { type: 'PostedMessage' } } }]);
    expect(await service.service.database.message.count({ where: { threadId, role: 'user' } })).toBe(2);
    await vi.waitFor(
      async () => expect((await ada.rest.get(`/threads/${threadId}`)).body).toMatchObject({ state: 'ready' }),
      patience,
    );
    sse.dispose();
  });

  it('follows a response, whose end completes the operation', async ({ service, ada }) => {
    service.model.enqueue([text('Good'), text(' morning')]);
    const sse = client(service, ada);
    const sink = follow(sse, await ada.rest.readyThread({ text: 'Hi' }));
    await sink.end;
    expect(textOf(sink)).toBe('Good morning');
    expect(sink.results.at(-1)?.data?.responseEvents).toEqual({ type: 'ResponseDone', cursor: '1-end' });
    sse.dispose();
  });

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

  it('resumes at the last cursor without losing or repeating a character', async ({ service, ada }) => {
    const active = await activeThread({ service, rest: ada.rest });
    const first = client(service, ada);
    const before = follow(first, active);
    await vi.waitFor(() => expect(textOf(before)).toBe('Hel'), patience);
    before.unsubscribe();
    // It tells the service, and whoever lets go of the client before the answer cuts that off.
    await before.end;
    await vi.waitFor(() => expect(readers(service)).toBe(0), patience);
    first.dispose();
    active.finish();
    const again = client(service, ada);
    const { cursor = '' } = before.results.at(-1)?.data?.responseEvents ?? {};
    const after = follow(again, { ...active, after: cursor });
    await after.end;
    expect(textOf(before) + textOf(after)).toBe('Hello');
    again.dispose();
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
