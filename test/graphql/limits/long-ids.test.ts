/** Cursors and ids that nobody gave out, as long as a request may be. The answer is short, and says what is wrong. */
import { describe, expect } from 'vitest';
import { createId } from '../../../src/ids.js';
import type { GraphQLClient } from '../../support/clients/graphql-client.js';
import { it } from '../../support/fixtures/service.js';
import { addThreads } from '../../support/threads.js';

it.beforeAll(async ({ service, ada }) => {
  await addThreads(service, ada, Array(20).fill({}));
});

async function refusal(graphql: GraphQLClient, query: string, variables: Record<string, unknown>) {
  const response = await graphql.post(JSON.stringify({ query, variables }));
  const text = await response.text();
  expect(text.length, text.slice(0, 300)).toBeLessThan(3000);
  return (JSON.parse(text) as { errors: { message: string; extensions: { code: string } }[] }).errors[0];
}

describe('a long cursor', () => {
  it('is not repeated in every edge of a list of threads', async ({ graphql }) => {
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
