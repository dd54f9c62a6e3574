/** Where the description is, and what it says: endpoints, parameters, bodies, responses. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect } from 'vitest';
import { endpointCases, nameOf, prefixes } from '../access/endpoint-cases.js';
import { it, type OpenApiDocument, operationsOf } from './openapi-document.js';

const operations = (document: OpenApiDocument) => operationsOf(document);

describe('GET /openapi.json', () => {
  it.for(prefixes)('is public under %s and names that prefix as its server', async (prefix, { service, document }) => {
    const { status, headers, body } = await service.client(undefined, prefix).get<OpenApiDocument>('/openapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect([body.openapi, body.servers]).toEqual(['3.1.1', [{ url: `https://skein.test${prefix}` }]]);
    expect(body.paths).toEqual(document.paths);
    expect(body.components).toEqual(document.components);
  });

  it('ignores a token, even an invalid one', async ({ service, ada }) => {
    expect((await ada.rest.get('/openapi.json')).status).toBe(200);
    expect((await service.client('nonsense').get('/openapi.json')).status).toBe(200);
  });
});

describe('the description', () => {
  it('holds valid JSON schemas of the dialect 2020-12, and no keyword of our own', ({ document }) => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, validateFormats: false });
    ajv.addVocabulary(['components', 'discriminator']);
    ajv.addSchema({ $id: 'skein', components: document.components });
    for (const name of Object.keys(document.components.schemas)) {
      expect(() => ajv.compile({ $ref: `skein#/components/schemas/${name}` }), name).not.toThrow();
    }
  });

  it('has exactly the nine endpoints, each with its scope and an id of its own', ({ document }) => {
    const described = operations(document).map(([name, operation]) => [name, operation['x-required-scope']]);
    expect(described).toEqual(endpointCases.map((each) => [nameOf(each), each.scope]));
    expect(new Set(operations(document).map(([, operation]) => operation.operationId)).size).toBe(9);
  });

  it('has the parameters of the path for each endpoint', ({ document }) => {
    for (const [name, { parameters }] of operations(document)) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      const expected = [...name.matchAll(/\{([a-z-]+)\}/g)].map((match) => match[1]);
      expect([name, inPath.map((parameter) => parameter.name)]).toEqual([name, expected]);
      for (const { required, schema } of inPath) expect([required, schema]).toEqual([true, { type: 'string' }]);
    }
  });

  it('says whose message the path names', ({ document }) => {
    const described = operations(document).flatMap(([, { operationId, parameters }]) =>
      parameters.filter(({ name }) => name === 'message-id').map(({ description }) => [operationId, description]),
    );
    expect(described.sort()).toEqual([
      ['pollResponse', 'Id of the user message.'],
      ['rateMessage', 'Id of the assistant message.'],
      ['streamResponse', 'Id of the user message.'],
    ]);
  });

  it('has the parameters of the query that the specification has', ({ document }) => {
    const queryOf = (path: string) =>
      Object.fromEntries(
        (document.paths[path]?.['get']?.parameters ?? [])
          .filter((parameter) => parameter.in === 'query')
          .map(({ name, schema: { type, enum: values, default: value } }) => [name, { type, values, value }]),
      );
    const limit = { type: 'integer', value: 50 };
    expect(queryOf('/threads')).toEqual({
      owned: { type: 'boolean' },
      private: { type: 'boolean' },
      archived: { type: 'boolean', value: false },
      q: { type: 'string' },
      sort_by: { type: 'string', values: ['updated_at', 'created_at'], value: 'updated_at' },
      sort_dir: { type: 'string', values: ['asc', 'desc'], value: 'desc' },
      updated_since: { type: 'string' },
      limit,
      after: { type: 'string' },
    });
    expect(queryOf('/threads/{thread-id}/messages')).toEqual({ limit, after: { type: 'string' } });
    for (const path of ['/me', '/threads/{thread-id}', '/threads/{thread-id}/messages/{message-id}/response']) {
      expect(queryOf(path)).toEqual({});
    }
  });

  it('has the bodies that the specification has, with what is required', ({ document }) => {
    const bodies = operations(document).flatMap(([name, { requestBody }]) => {
      const reference = requestBody?.content['application/json']?.schema?.$ref?.split('/').at(-1);
      const schema = document.components.schemas[reference ?? ''];
      return schema ? [[name, requestBody?.required, Object.keys(schema.properties ?? {}), schema.required]] : [];
    });
    expect(bodies).toEqual([
      ['POST /threads', true, ['text', 'name', 'is_private'], ['text']],
      ['POST /threads/{thread-id}/messages', true, ['text'], ['text']],
      ['POST /threads/{thread-id}/messages/{message-id}/feedback', true, ['positive', 'feedback_text'], ['positive']],
    ]);
  });

  it('has the statuses that the specification has for each endpoint', ({ document }) => {
    const missing = {
      'GET /me': ['200'],
      'GET /threads': ['200'],
      'POST /threads': ['201', '409'],
      'GET /threads/{thread-id}': ['200', '404'],
      'GET /threads/{thread-id}/messages': ['200', '404'],
      'POST /threads/{thread-id}/messages': ['201', '404', '409'],
      'POST /threads/{thread-id}/messages/{message-id}/feedback': ['204'],
      'GET /threads/{thread-id}/messages/{message-id}/response': ['200', '202', '404'],
      'GET /threads/{thread-id}/messages/{message-id}/response/stream': ['200'],
    };
    for (const [name, { responses }] of operations(document)) {
      const expected = [
        ...(missing[name as keyof typeof missing] ?? []),
        ...['400', '401', '403', '429', '500', '503', 'default'],
      ];
      expect(Object.keys(responses), name).toEqual(expect.arrayContaining(expected));
    }
  });
});
