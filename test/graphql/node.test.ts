/** Single objects by their ids, and by ids that name nothing. Who sees which is in `visibility/visibility.test.ts`. */
import type { GraphQLInterfaceType } from 'graphql';
import { describe, expect } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import { createId } from '../../src/ids.js';
import { numbered, storeMessages } from '../rest/messages/stored-messages.js';
import type { GraphQLClient } from '../support/clients/graphql-client.js';
import { serviceTest } from '../support/fixtures/service.js';
import { addThread } from '../support/threads.js';

const it = serviceTest().extend('sent', { scope: 'file' }, ({ ada }) =>
  ada.rest.readyThread({ text: 'Hi', name: 'Rome' }),
);

const query = `query ($id: ID!) { node(id: $id) {
  __typename id
  ... on Thread { name owner { id } messages(first: 1) { edges { node { id } } } }
  ... on Message { role threadId contents { ... on TextBlock { text } } }
  ... on AccessToken { lastFour scopes } } }`;

async function node(graphql: GraphQLClient, id: string): Promise<unknown> {
  return (await graphql.data(query, { id })).node;
}

describe('node › its result', () => {
  it('is a thread, with all its selected fields', async ({ ada, graphql, sent: { threadId: id, messageId } }) => {
    const messages = { edges: [{ node: { id: messageId } }] };
    const thread = { __typename: 'Thread', id, name: 'Rome', owner: { id: ada.id }, messages };
    expect(await node(graphql, id)).toEqual(thread);
  });

  it('is a message', async ({ graphql, sent: { threadId, messageId: id } }) => {
    const message = { role: 'USER', threadId, contents: [{ text: 'Hi' }] };
    expect(await node(graphql, id)).toEqual({ __typename: 'Message', id, ...message });
  });

  it('is an access token of your own', async ({ service, ada, graphql }) => {
    const { id } = await service.database.accessToken.findFirstOrThrow({ where: { userId: ada.id } });
    const scopes = ['ME_READ', 'THREADS_READ', 'THREADS_WRITE', 'FEEDBACK_WRITE', 'TOKENS_WRITE'];
    const lastFour = ada.token.slice(-4);
    expect(await node(graphql, id)).toEqual({ __typename: 'AccessToken', id, lastFour, scopes });
  });

  it('gives every type that implements Node', () => {
    const { objects } = schema.getImplementations(schema.getType('Node') as GraphQLInterfaceType);
    expect(objects.map(({ name }) => name).toSorted()).toEqual(['AccessToken', 'AuditEvent', 'Message', 'Thread']);
  });

  it('is null for an id of nothing', async ({ graphql }) => {
    for (const id of [createId('tok'), 'thr_', 'nonsense', '', 'thr_\u0000'])
      expect(await node(graphql, id), JSON.stringify(id)).toBeNull();
  });
});

// Where it stands in the document, in every place that takes one: `attacks/attacks-foreign-ids.test.ts`.
it('an id with a character that no database can hold is not found where it is a variable', async ({ graphql }) => {
  const query = 'mutation ($id: ID!) { outcome: resumeThread(id: $id) { type: __typename } }';
  const { body } = await graphql.run({ query, variables: { id: 'thr_\u0000' } });
  expect(body).toEqual({ data: { outcome: { type: 'NotFoundError' } } });
});

it('message is not found under another thread', async ({ service, ada, graphql }) => {
  const [threadId, other] = [await addThread(service, ada), await addThread(service, ada)];
  const [id] = await storeMessages(service, threadId, numbered(1));
  const query = 'query ($threadId: ID!, $id: ID!) { message(threadId: $threadId, id: $id) { id } }';
  const failure = await graphql.failure({ query, variables: { threadId: other, id } });
  expect(failure.extensions?.['code']).toBe('NOT_FOUND');
});
