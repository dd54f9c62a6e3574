/** `node`: an object by its id alone, under the scope and the visibility that its own field has. */
import type { GraphQLInterfaceType } from 'graphql';
import { describe, expect } from 'vitest';
import type { Scope } from '../../src/contract.js';
import { schema } from '../../src/graphql/schema.js';
import { createId } from '../../src/ids.js';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import { serviceTest } from '../support/fixtures/service.js';
import type { Person, TestService } from '../support/service.js';
import { colleagueOf, newcomer } from '../support/threads.js';

const ids = { open: '', secret: '', openMessage: '', secretMessage: '', token: '' };

const it = serviceTest()
  .extend('ada', { scope: 'file' }, ({ service }) => newcomer(service))
  .extend('colleague', { scope: 'file' }, ({ service, ada }) => colleagueOf(service, ada, { role: 'admin' }))
  .extend('stranger', { scope: 'file' }, ({ service }) => newcomer(service));
it.beforeAll(async ({ service, ada }) => {
  const open = await ada.rest.readyThread({ text: 'Hi', name: 'Rome' });
  const secret = await ada.rest.readyThread({ text: 'Hi', is_private: true });
  const token = await service.service.database.accessToken.findFirstOrThrow({ where: { userId: ada.id } });
  Object.assign(ids, { open: open.threadId, openMessage: open.messageId, token: token.id });
  Object.assign(ids, { secret: secret.threadId, secretMessage: secret.messageId });
});

const query = `query ($id: ID!) { node(id: $id) {
  __typename id
  ... on Thread { name owner { id } messages(first: 1) { edges { node { id } } } }
  ... on Message { role threadId contents { ... on TextBlock { text } } }
  ... on AccessToken { lastFour scopes } } }`;

const clientOf = (service: TestService, { token }: { token: string }) =>
  new GraphQLClient({ origin: service.url, token });

async function node(service: TestService, ada: Person, id: string, person = ada): Promise<unknown> {
  return (await clientOf(service, person).data(query, { id })).node;
}

describe('node › its result', () => {
  it('is a thread, with all its selected fields', async ({ service, ada, colleague }) => {
    const messages = { edges: [{ node: { id: ids.openMessage } }] };
    const thread = { __typename: 'Thread', id: ids.open, name: 'Rome', owner: { id: ada.id }, messages };
    expect(await node(service, ada, ids.open)).toEqual(thread);
    expect(await node(service, ada, ids.open, colleague)).toEqual(thread);
  });

  it('is a message', async ({ service, ada }) => {
    const message = { role: 'USER', threadId: ids.open, contents: [{ text: 'Hi' }] };
    expect(await node(service, ada, ids.openMessage)).toEqual({
      __typename: 'Message',
      id: ids.openMessage,
      ...message,
    });
  });

  it('is an access token of your own', async ({ service, ada }) => {
    const scopes = ['ME_READ', 'THREADS_READ', 'THREADS_WRITE', 'FEEDBACK_WRITE', 'TOKENS_WRITE'];
    const lastFour = ada.token.slice(-4);
    expect(await node(service, ada, ids.token)).toEqual({ __typename: 'AccessToken', id: ids.token, lastFour, scopes });
  });

  it('gives every type that implements Node', () => {
    const { objects } = schema.getImplementations(schema.getType('Node') as GraphQLInterfaceType);
    expect(objects.map(({ name }) => name).toSorted()).toEqual(['AccessToken', 'AuditEvent', 'Message', 'Thread']);
  });
});

describe('node › a hidden object is null, like one that does not exist', () => {
  it.for(['open', 'secret', 'openMessage', 'secretMessage', 'token'] as const)(
    '%s: for a stranger',
    async (name, { service, ada, stranger }) => {
      expect(await node(service, ada, ids[name], stranger)).toBeNull();
    },
  );

  it.for(['secret', 'secretMessage', 'token'] as const)(
    '%s: for a colleague, not for its owner',
    async (name, { service, ada, colleague }) => {
      expect(await node(service, ada, ids[name], colleague)).toBeNull();
      expect(await node(service, ada, ids[name])).toMatchObject({ id: ids[name] });
    },
  );

  it.for([createId('thr'), createId('msg'), createId('tok'), createId('usr'), 'thr_', 'nonsense', '', 'thr_\u0000'])(
    '%j: for everybody',
    async (id, { service, ada }) => {
      expect(await node(service, ada, id)).toBeNull();
    },
  );

  it('shows no user by an id', async ({ service, ada }) => {
    expect(await node(service, ada, ada.id)).toBeNull();
  });
});

describe('node › scopes', () => {
  it.for<[keyof typeof ids, Scope]>([
    ['open', 'threads:read'],
    ['openMessage', 'threads:read'],
    ['token', 'me:read'],
  ] as const)('%s: needs %s', async ([name, requiredScope], { service, ada }) => {
    const others: Scope[] = ['me:read', 'threads:read', 'threads:write', 'feedback:write'];
    const token = await service.token(
      ada.id,
      others.filter((scope) => scope !== requiredScope),
    );
    const failure = await clientOf(service, { token }).failure({ query, variables: { id: ids[name] } });
    expect(failure.extensions).toMatchObject({ code: 'MISSING_SCOPE', requiredScope });
    const enough = await service.token(ada.id, [requiredScope]);
    const { body } = await clientOf(service, { token: enough }).run({
      query: '{ node(id: "ID") { id } }'.replace('ID', ids[name]),
    });
    expect(body).toEqual({ data: { node: { id: ids[name] } } });
  });
});
