/**
 * `TRUSTED_DOCUMENTS`: only the operations of the list run, over every transport, also by the hash that the persisted queries of a client
 * send; REST is not affected. Without it the service keeps no documents, and says so in the form on which a client sends the text
 * instead.
 */

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { type DocumentNode, print } from 'graphql';
import { createClient } from 'graphql-sse';
import { Observable } from 'rxjs';
import { describe, expect } from 'vitest';
import { readConfig } from '../../../src/config.js';
import { GraphQLClient, type GraphQLResult } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person } from '../../support/service.js';
import { StreamClient } from '../streams/stream-client.js';

const me = gql('query Me { me { sub } }');
const other = gql('query Other { me { name } }');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const documents = {
  me: 'query Me { me { sub } }',
  deep: `{ thread(id: "x") { ${'continuedFrom { '.repeat(20)} id ${'}'.repeat(20)} } }`,
  follow: 'subscription Follow($id: ID!) { responseEvents(messageId: $id) { __typename } }',
  [sha256(print(me))]: print(me),
};

/** `trusting` is a node with a list of documents; `graphql` and `stream` are its clients. */
const it = serviceTest()
  .extend('trusting', { scope: 'file' }, async ({ service, folder }) =>
    service.addNode({ TRUSTED_DOCUMENTS: await fileOf(folder, 'list.json', documents) }),
  )
  .extend(
    'graphql',
    { scope: 'file' },
    ({ trusting, ada }) => new GraphQLClient({ origin: trusting.url, token: ada.token }),
  )
  .extend('stream', { scope: 'file' }, ({ trusting, ada }) => new StreamClient(trusting.url, ada.token));

async function fileOf(folder: string, name: string, content: unknown): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const byHash = (id: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: id } } });

/** The result of a body on each way to run an operation. */
async function everywhere(graphql: GraphQLClient, stream: StreamClient, body: object): Promise<GraphQLResult[]> {
  const http = (await (await graphql.post(JSON.stringify(body))).json()) as GraphQLResult;
  const alone = await stream.open({ method: 'POST', body });
  await alone.end;
  const token = await stream.reserve();
  const shared = await stream.open({ stream: token });
  const extensions = { ...('extensions' in body ? (body.extensions as object) : {}), operationId: 'a' };
  await stream.fetch({ method: 'POST', stream: token, body: { ...body, extensions } });
  while (shared.messages.length < 2) await new Promise((resolve) => setImmediate(resolve));
  shared.close();
  return [http, alone.messages[0]?.payload ?? {}, shared.messages[0]?.payload ?? {}];
}

describe('a document of the list', () => {
  it.for([
    ['its hash', byHash('me')],
    ['its id', { documentId: 'me' }],
  ] as const)('runs everywhere, by %s', async ([_what, body], { ada, graphql, stream }) => {
    for (const result of await everywhere(graphql, stream, body))
      expect(result).toEqual({ data: { me: { sub: ada.id } } });
  });

  it('runs by its id in the URL of a GET too', async ({ trusting, ada, stream }) => {
    const result = { data: { me: { sub: ada.id } } };
    const headers = { authorization: `Bearer ${ada.token}` };
    const response = await fetch(`${trusting.url}/graphql?documentId=me`, { headers });
    expect(await response.json()).toEqual(result);
    const alone = await stream.open({ search: '?documentId=me' });
    await alone.end;
    expect(alone.messages[0]?.payload).toEqual(result);
  });

  it('takes variables, as a subscription too', async ({ ada, stream }) => {
    const { messageId } = await ada.rest.readyThread({ text: 'Hi' });
    const events = await stream.open({ method: 'POST', body: { documentId: 'follow', variables: { id: messageId } } });
    await events.end;
    expect(JSON.stringify(events.messages)).toContain('ResponseDone');
  });

  it('is held to the limits like any other', async ({ graphql, stream }) => {
    for (const { errors } of await everywhere(graphql, stream, { documentId: 'deep' })) {
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'depth' });
    }
  });
});

describe('anything else', () => {
  it.for([
    ['another operation', { query: '{ me { name } }' }],
    ['the text of one that is on the list', { query: documents.me }],
    ['a text with the hash of one', { query: '{ me { name } }', ...byHash('me') }],
    ['an unknown hash', byHash('nothing')],
    ['a name that is built in', byHash('constructor')],
    ['no operation', {}],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
  ] as const)('does not run anywhere: %s', async ([_what, body], { graphql, stream }) => {
    for (const { data, errors } of await everywhere(graphql, stream, body)) {
      expect([data ?? null, errors?.[0]?.extensions?.['code']]).toEqual([null, 'PERSISTED_QUERY_NOT_FOUND']);
    }
  });

  it('of REST is not affected', async ({ service, trusting, ada }) => {
    const rest = service.clientOf(trusting, ada.token);
    expect((await rest.get('/me')).status).toBe(200);
    await rest.readyThread({ text: 'Hi' });
  });
});

describe('a list that cannot be used', () => {
  it.for([
    ['no JSON', 'query { me }', /not valid JSON/],
    ['no object', ['query Me { me { sub } }'], /must contain a JSON object/],
    ['a document that is no text', { me: 1 }, /"me" is not a string/],
  ] as const)('is a problem of the configuration: %s', async ([_what, content, problem], { folder }) => {
    const file = await fileOf(folder, 'bad.json', content);
    expect(() => readConfig({ TRUSTED_DOCUMENTS: file })).toThrow(problem);
  });

  it('prevents the start of the service if a document is not valid for the schema', async ({ folder, service }) => {
    const file = await fileOf(folder, 'unfit.json', { me: '{ nothing }' });
    const started = service.addNode({ TRUSTED_DOCUMENTS: file });
    await expect(started).rejects.toThrow(
      /TRUSTED_DOCUMENTS: the document "me" is not valid for the schema: Cannot query/,
    );
  });
});

/** The bodies that a client of Apollo sends, with its own link for persisted queries before the transport. */
function apollo(ada: Person, origin: string, transport: 'http' | 'sse', useGETForHashedQueries = false) {
  const sent: { query?: string; extensions?: unknown }[] = [];
  const spy: typeof fetch = (input, init) => {
    const search = new URL(String(input)).searchParams;
    sent.push(init?.method === 'POST' ? JSON.parse(String(init.body)) : Object.fromEntries(search));
    return fetch(input, init);
  };
  const headers = { authorization: `Bearer ${ada.token}` };
  const end = transport === 'http' ? httpLink(origin, headers, spy) : sseLink(origin, headers, spy);
  const link = ApolloLink.from([new PersistedQueryLink({ sha256, useGETForHashedQueries }), end]);
  return { client: new ApolloClient({ link, cache: new InMemoryCache() }), sent };
}

function httpLink(origin: string, headers: Record<string, string>, spy: typeof fetch): ApolloLink {
  return new HttpLink({ uri: `${origin}/graphql`, headers, fetch: spy });
}

/** Sends the text only where the link before it says so, as Apollo's own links do. */
function sseLink(origin: string, headers: Record<string, string>, spy: typeof fetch): ApolloLink {
  const client = createClient({ url: `${origin}/graphql/stream`, headers, fetchFn: spy, retryAttempts: 0 });
  return new ApolloLink(
    (operation) =>
      new Observable((sink) => {
        const { query, variables, extensions } = operation;
        const { http } = operation.getContext() as { http?: { includeQuery?: boolean } };
        const text = http?.includeQuery === false ? undefined : print(query);
        return client.subscribe({ query: text as string, variables, extensions }, sink as never);
      }),
  );
}

const ask = (client: ApolloClient, query: DocumentNode) => client.query({ query, fetchPolicy: 'no-cache' });

const ways = [
  ['over HTTP', 'http', false],
  ['over HTTP, with GET for hashes', 'http', true],
  ['over server-sent events', 'sse', false],
] as const;

describe("without a list, Apollo's link for persisted queries", () => {
  it.for(ways)(
    'learns that there are none, and sends texts from then on: %s',
    async ([_how, transport, usesGet], { service, ada }) => {
      const { client, sent } = apollo(ada, service.url, transport, usesGet);
      expect((await ask(client, me)).data).toEqual({ me: { __typename: 'Identity', sub: ada.id } });
      expect((await ask(client, other)).data).toMatchObject({ me: { name: 'Ada' } });
      expect(sent.map(({ query }) => typeof query)).toEqual(['undefined', 'string', 'string']);
    },
  );
});

describe('without a list, an operation that is sent by its hash alone', () => {
  const hash = { extensions: { persistedQuery: { version: 1, sha256Hash: sha256('{me{sub}}') } } };
  it.for([
    ['by its hash', hash],
    ['by its id', { documentId: 'me' }],
  ] as const)('is refused in the words that clients look for: %s', async ([_how, body], { service, ada }) => {
    const error = { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } };
    for (const [accept, status] of [
      ['application/json', 200],
      ['application/graphql-response+json', 400],
    ] as const) {
      const response = await fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json', accept },
        body: JSON.stringify(body),
      });
      expect([response.status, await response.json()]).toEqual([status, { errors: [error] }]);
    }
    const stream = await new StreamClient(service.url, ada.token).open({ method: 'POST', body });
    await stream.end;
    expect(stream.messages[0]?.payload).toEqual({ errors: [error] });
  });

  it('runs if its text is sent with its hash', async ({ service, ada }) => {
    const stream = await new StreamClient(service.url, ada.token).open({
      method: 'POST',
      body: { query: '{me{sub}}', ...hash },
    });
    await stream.end;
    expect(stream.messages[0]?.payload).toEqual({ data: { me: { sub: ada.id } } });
  });
});

describe("with a list, Apollo's link for persisted queries", () => {
  it.for(ways)('runs what is on it by its hash alone: %s', async ([_how, transport, usesGet], { ada, trusting }) => {
    const { client, sent } = apollo(ada, trusting.url, transport, usesGet);
    // The cache would add `__typename` to the document, and so change its hash.
    client.documentTransform.transformDocument = (document) => document;
    expect((await ask(client, me)).data).toEqual({ me: { sub: ada.id } });
    expect(sent.map(({ query }) => typeof query)).toEqual(['undefined']);
    await expect(ask(client, other)).rejects.toThrow(/PersistedQueryNotFound/);
  });
});
