/**
 * Persisted queries, by the links and exchanges that send them. Without `TRUSTED_DOCUMENTS` the service keeps no documents,
 * and says so in the form on which a client sends the text instead; with it, the hash of a document on the list runs it.
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
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person } from '../../support/service.js';
import { StreamClient } from '../streams/stream-client.js';

const me = gql('query Me { me { sub } }');
const other = gql('query Other { me { name } }');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const it = serviceTest().extend('trusting', { scope: 'file' }, async ({ service, folder }) => {
  const list = join(folder, 'list.json');
  await writeFile(list, JSON.stringify({ [sha256(print(me))]: print(me) }));
  return service.addNode({ TRUSTED_DOCUMENTS: list });
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
