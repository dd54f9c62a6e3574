/** `node`: an object by its id alone, under the scope and the visibility that its own field has. */
import type { GraphQLInterfaceType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import { createId } from '../../src/ids.js';
import type { Scope } from '../../src/modules/identity/scopes.js';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { colleagueOf, newcomer } from '../support/threads.js';

let service: TestService;
let ada: Person;
let colleague: Person;
let stranger: Person;
const ids = { open: '', secret: '', openMessage: '', secretMessage: '', token: '' };
beforeAll(async () => {
  service = await startTestService();
  ada = await newcomer(service);
  colleague = await colleagueOf(service, ada, { role: 'admin' });
  stranger = await newcomer(service);
  const open = await ada.rest.readyThread({ text: 'Hi', name: 'Rome' });
  const secret = await ada.rest.readyThread({ text: 'Hi', is_private: true });
  const token = await service.service.database.accessToken.findFirstOrThrow({ where: { userId: ada.id } });
  Object.assign(ids, { open: open.threadId, openMessage: open.messageId, token: token.id });
  Object.assign(ids, { secret: secret.threadId, secretMessage: secret.messageId });
});
afterAll(() => service.stop());

const query = `query ($id: ID!) { node(id: $id) {
  __typename id
  ... on Thread { name owner { id } messages(first: 1) { edges { node { id } } } }
  ... on Message { role threadId contents { ... on TextBlock { text } } }
  ... on AccessToken { lastFour scopes } } }`;

const clientOf = ({ token }: { token: string }) => new GraphQLClient({ origin: service.url, token });

async function node(id: string, person = ada): Promise<unknown> {
  return (await clientOf(person).data(query, { id })).node;
}

describe('node › its result', () => {
  it('is a thread, with all its selected fields', async () => {
    const messages = { edges: [{ node: { id: ids.openMessage } }] };
    const thread = { __typename: 'Thread', id: ids.open, name: 'Rome', owner: { id: ada.id }, messages };
    expect(await node(ids.open)).toEqual(thread);
    expect(await node(ids.open, colleague)).toEqual(thread);
  });

  it('is a message', async () => {
    const message = { role: 'USER', threadId: ids.open, contents: [{ text: 'Hi' }] };
    expect(await node(ids.openMessage)).toEqual({ __typename: 'Message', id: ids.openMessage, ...message });
  });

  it('is an access token of your own', async () => {
    const scopes = ['ME_READ', 'THREADS_READ', 'THREADS_WRITE', 'FEEDBACK_WRITE', 'TOKENS_WRITE'];
    const lastFour = ada.token.slice(-4);
    expect(await node(ids.token)).toEqual({ __typename: 'AccessToken', id: ids.token, lastFour, scopes });
  });

  it('gives every type that implements Node', () => {
    const { objects } = schema.getImplementations(schema.getType('Node') as GraphQLInterfaceType);
    expect(objects.map(({ name }) => name).toSorted()).toEqual(['AccessToken', 'Message', 'Thread']);
  });
});

describe('node › a hidden object is null, like one that does not exist', () => {
  it.each(['open', 'secret', 'openMessage', 'secretMessage', 'token'] as const)('%s: for a stranger', async (name) => {
    expect(await node(ids[name], stranger)).toBeNull();
  });

  it.each(['secret', 'secretMessage', 'token'] as const)('%s: for a colleague, not for its owner', async (name) => {
    expect(await node(ids[name], colleague)).toBeNull();
    expect(await node(ids[name])).toMatchObject({ id: ids[name] });
  });

  it.each([createId('thr'), createId('msg'), createId('tok'), createId('usr'), 'thr_', 'nonsense', '', 'thr_\u0000'])(
    '%j: for everybody',
    async (id) => {
      expect(await node(id)).toBeNull();
    },
  );

  it('shows no user by an id', async () => {
    expect(await node(ada.id)).toBeNull();
  });
});

describe('node › scopes', () => {
  it.each<[keyof typeof ids, Scope]>([
    ['open', 'threads:read'],
    ['openMessage', 'threads:read'],
    ['token', 'me:read'],
  ])('%s: needs %s', async (name, requiredScope) => {
    const others: Scope[] = ['me:read', 'threads:read', 'threads:write', 'feedback:write'];
    const token = await service.token(
      ada.id,
      others.filter((scope) => scope !== requiredScope),
    );
    const failure = await clientOf({ token }).failure({ query, variables: { id: ids[name] } });
    expect(failure.extensions).toMatchObject({ code: 'MISSING_SCOPE', requiredScope });
    const enough = await service.token(ada.id, [requiredScope]);
    const { body } = await clientOf({ token: enough }).run({
      query: '{ node(id: "ID") { id } }'.replace('ID', ids[name]),
    });
    expect(body).toEqual({ data: { node: { id: ids[name] } } });
  });
});
