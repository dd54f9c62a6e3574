/** `TRUSTED_DOCUMENTS`: only the operations of the list run, over every transport; REST is not affected. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { readConfig } from '../../../src/config.js';
import type { GraphQLClient, GraphQLResult } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { StreamClient } from '../streams/stream-client.js';

const documents = {
  me: 'query Me { me { sub } }',
  deep: `{ thread(id: "x") { ${'continuedFrom { '.repeat(20)} id ${'}'.repeat(20)} } }`,
  follow: 'subscription Follow($id: ID!) { responseEvents(messageId: $id) { __typename } }',
};

const it = serviceTest()
  .extend('service', { scope: 'file' }, async ({ folder, startService }) =>
    startService({ environment: { TRUSTED_DOCUMENTS: await fileOf(folder, 'list.json', documents) } }),
  )
  .extend('stream', { scope: 'file' }, ({ service, ada }) => new StreamClient(service.url, ada.token));

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

  it('runs by its id in the URL of a GET too', async ({ service, ada, stream }) => {
    const result = { data: { me: { sub: ada.id } } };
    const headers = { authorization: `Bearer ${ada.token}` };
    const response = await fetch(`${service.url}/graphql?documentId=me`, { headers });
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

  it('of REST is not affected', async ({ ada }) => {
    expect((await ada.rest.get('/me')).status).toBe(200);
    await ada.rest.readyThread({ text: 'Hi' });
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
