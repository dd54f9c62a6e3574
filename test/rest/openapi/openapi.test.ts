/**
 * The description: where it is, what it says of endpoints, parameters, bodies and responses, and its examples. Every request and answer
 * has one, it is valid, and it looks like what is really sent.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it as pure } from 'vitest';
import { restProblemCodes } from '../../../src/http/problems/codes.js';
import { openApiDocument } from '../../../src/rest/openapi.js';
import * as parity from '../../parity/problems.js';
import { type ReceivedEvent, readEvents } from '../../support/clients/sse.js';
import { endpointCases, initFor, nameOf, pathFor, prefixes } from '../access/endpoint-cases.js';
import { answeredMessage } from '../messages/answered-message.js';
import { settled } from '../threads/thread-stages.js';
import { type Content, it, type OpenApiDocument, operationsOf } from './openapi-document.js';

/** Every place where a body is described, and what stands there. */
function bodies(document: OpenApiDocument): [string, Content][] {
  return operationsOf(document).flatMap(([name, { requestBody, responses }]) => [
    ...Object.values(requestBody?.content ?? {}).map((content): [string, Content] => [`${name}, request`, content]),
    ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).map((each): [string, Content] => [`${name}, ${status}`, each]),
    ),
  ]);
}

const streamPath = '/threads/{thread-id}/messages/{message-id}/response/stream';

const valuesOf = ({ examples = {} }: Content) => Object.values(examples).map(({ value }) => value);

describe('the examples', () => {
  it('exist for every request and every answer that has a body', ({ document }) => {
    expect(bodies(document).filter(([, content]) => valuesOf(content).length === 0)).toEqual([]);
    const noBody = operationsOf(document).flatMap(([name, { responses }]) =>
      Object.entries(responses).flatMap(([status, { content }]) => (content ? [] : [`${name}, ${status}`])),
    );
    expect(noBody.map((place) => place.slice(-3))).toEqual(['204', '204']);
  });

  it('are valid', ({ document }) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    for (const [where, content] of bodies(document)) {
      const validate = ajv.compile({ ...content.schema, components: document.components });
      for (const value of valuesOf(content))
        expect([where, value, validate(value), validate.errors]).toMatchObject([where, value, true, null]);
    }
  });

  it('show every code of a problem, at the status that goes with it', ({ document }) => {
    const shown = bodies(document).flatMap(([where, { examples = {} }]) =>
      Object.entries(examples).flatMap(([name, { value }]) => {
        const { code, status } = value as { code?: string; status?: number };
        if (code === undefined) return [];
        expect([where, code, String(status)]).toEqual([
          where,
          name,
          where.endsWith('default') ? '405' : where.slice(-3),
        ]);
        return [code];
      }),
    );
    expect([...new Set(shown)].sort()).toEqual([...restProblemCodes].sort());
  });

  it('hold a stream, which a parser reads to its end', async ({ document }) => {
    const { 200: streamed } = document.paths[streamPath]?.['get']?.responses ?? {};
    const [, text] = streamed?.description.match(/```\n([^`]+)```/) ?? [];
    const events: ReceivedEvent[] = [];
    for await (const event of readEvents(new Blob([`${text}\n`]).stream())) events.push(event);
    expect(events.map(({ event }) => event)).toEqual(['token', 'token', 'done']);
    const [token, error, done] = valuesOf(streamed?.content?.['text/event-stream'] ?? {});
    expect([events[0]?.data, events[2]?.data]).toEqual([token, done]);
    expect(error).toEqual({ message: expect.any(String) });
  });
});

/** The same shape: fields by name, kinds of values, the prefixes of ids, and the paths of addresses. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : [];
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
  if (typeof value !== 'string') return typeof value;
  const text = value.replace(/(thr|msg|usr)_[0-9a-z]{26}/g, '$1');
  return URL.canParse(text) ? text.replace(new URL(text).origin, '') : (/^(thr|msg|usr)$/.exec(text)?.[0] ?? 'text');
}

describe('a real answer', () => {
  it('has the shape of the example of its operation', async ({ service, ada, document }) => {
    const target = await answeredMessage(ada);
    for (const each of endpointCases) {
      const path = pathFor(each, target);
      const response = await ada.rest.fetch(path, initFor(each));
      const text = await response.text();
      expect([nameOf(each), response.status]).toEqual([nameOf(each), each.success]);
      if (each.success === 201) await settled({ service, rest: ada.rest });
      const content = operationOf(document, each)?.responses[each.success]?.content;
      const [example] = valuesOf(Object.values(content ?? {})[0] ?? {});
      if (!text.startsWith('{')) continue;
      expect([nameOf(each), shapeOf(JSON.parse(text))]).toEqual([nameOf(each), shapeOf(example)]);
    }
  });

  it('is exactly the example, for a problem', async ({ service, ada, document }) => {
    const target = await answeredMessage(ada);
    const powerless = service.client(await service.token(ada.id, []));
    const clients = {
      missing_token: service.client(),
      invalid_token: service.client('x'),
      insufficient_scope: powerless,
    };
    for (const each of endpointCases) {
      for (const [code, client] of Object.entries(clients)) {
        const { body } = await client.request<object>(pathFor(each, target), initFor(each));
        expectExample(document, each, code, body);
      }
      const unknown = { ...target, threadId: `thr_${'0'.repeat(26)}` };
      if (!each.path.includes('{thread-id}')) continue;
      const { body } = await ada.rest.request<object>(pathFor(each, unknown), initFor(each));
      expectExample(document, each, 'not_found', body);
    }
    for (const each of endpointCases.filter(({ body }) => body)) {
      const path = pathFor(each, target);
      expectExample(document, each, 'invalid_request', (await ada.rest.post<object>(path, {})).body);
      const headers = { 'content-type': 'text/plain' };
      expectExample(
        document,
        each,
        'unsupported_media_type',
        (await ada.rest.post<object>(path, 'x', { headers })).body,
      );
      const large = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
      expectExample(document, each, 'payload_too_large', (await ada.rest.post<object>(path, large)).body);
    }
  });

  type Case = (typeof endpointCases)[number];

  function operationOf(document: OpenApiDocument, { method, path }: Case) {
    return document.paths[path]?.[method.toLowerCase()];
  }

  function expectExample(document: OpenApiDocument, each: Case, code: string, body: object) {
    const all = Object.values(operationOf(document, each)?.responses ?? {}).flatMap(({ content = {} }) =>
      Object.values(content),
    );
    const example = all.flatMap(({ examples = {} }) => (examples[code] ? [examples[code].value] : []))[0] as object;
    expect([nameOf(each), { ...body, request_id: '' }]).toEqual([nameOf(each), { ...example, request_id: '' }]);
  }
});

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
    const described = operationsOf(document).map(([name, operation]) => [name, operation['x-required-scope']]);
    expect(described).toEqual(endpointCases.map((each) => [nameOf(each), each.scope]));
    expect(new Set(operationsOf(document).map(([, operation]) => operation.operationId)).size).toBe(9);
  });

  it('has the parameters of the path for each endpoint', ({ document }) => {
    for (const [name, { parameters }] of operationsOf(document)) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      const expected = [...name.matchAll(/\{([a-z-]+)\}/g)].map((match) => match[1]);
      expect([name, inPath.map((parameter) => parameter.name)]).toEqual([name, expected]);
      for (const { required, schema } of inPath) expect([required, schema]).toEqual([true, { type: 'string' }]);
    }
  });

  it('says whose message the path names', ({ document }) => {
    const described = operationsOf(document).flatMap(([, { operationId, parameters }]) =>
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
    const bodies = operationsOf(document).flatMap(([name, { requestBody }]) => {
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
    for (const [name, { responses }] of operationsOf(document)) {
      const expected = [
        ...(missing[name as keyof typeof missing] ?? []),
        ...['400', '401', '403', '429', '500', '503', 'default'],
      ];
      expect(Object.keys(responses), name).toEqual(expect.arrayContaining(expected));
    }
  });
});

interface Schema {
  type?: string | string[];
  const?: string;
  default?: unknown;
  pattern?: string;
  enum?: string[];
  $ref?: string;
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

const description = openApiDocument({ prefix: '/api/v1', publicUrl: 'https://skein.test' }) as {
  components: { schemas: Record<string, Schema> };
};
const { schemas } = description.components;

/** Every object within, with its place. */
function within(value: unknown, place = '#'): [string, Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, each]) => within(each, `${place}/${name}`));
  return [[place, value as Schema], ...inner];
}

describe('the schemas', () => {
  pure('give no field of a body a default, which generators make required', () => {
    const bodies = ['NewThread', 'NewMessage', 'Feedback'].map((name) => schemas[name]);
    expect(within(bodies).filter(([, schema]) => 'default' in schema)).toEqual([]);
  });

  pure('name a type beside every constant', () => {
    const constants = within(schemas).filter(([, schema]) => typeof schema.const === 'string');
    expect(constants).not.toHaveLength(0);
    for (const [place, { type }] of constants) expect([place, type]).toEqual([place, 'string']);
  });

  pure('tell the named content blocks apart by their type', () => {
    const { oneOf, discriminator } = schemas['ContentBlock'] ?? {};
    const tags = Object.entries(discriminator?.mapping ?? {});
    expect([discriminator?.propertyName, oneOf?.map(({ $ref }) => $ref)]).toEqual(['type', tags.map(([, ref]) => ref)]);
    for (const [tag, ref] of tags) {
      expect(schemas[ref.split('/').at(-1) ?? '']?.properties?.['type']?.const).toBe(tag);
    }
  });

  pure('have a list of codes that is exactly what REST can answer with', () => {
    const elsewhere = Object.keys(parity.unreachable).map((code) => code.toLowerCase());
    const all = { ...parity.problems, ...parity.members, ...parity.restOnly };
    const reachable = Object.keys(all).filter((code) => !elsewhere.includes(code) && code !== 'possible_forgery');
    expect([...restProblemCodes].sort()).toEqual(reachable.sort());
    expect(schemas['Problem']?.properties?.['code']?.enum).toEqual(restProblemCodes);
  });
});

describe('the patterns', () => {
  const patterns = within(description).flatMap(([place, { pattern }]) => (pattern ? [[place, pattern] as const] : []));

  pure.each(patterns)('of %s refuse U+0000', (_place, pattern) => {
    const text = new RegExp(pattern, 'u');
    expect(['\u0000', 'a\u0000', '\u0000a', 'a\u0000b', ' \u0000'].filter((each) => text.test(each))).toEqual([]);
    expect(text.test('a b')).toBe(true);
  });

  pure('of a message take everything else that is not blank', () => {
    const text = new RegExp(schemas['NewThread']?.properties?.['text']?.pattern ?? '', 'u');
    expect(['a', ' a ', '\n\ta', '🎉', '\u200b', 'é', 'a\n\n'].filter((each) => !text.test(each))).toEqual([]);
    expect(['', ' ', '\n\t ', '\u00a0'].filter((each) => text.test(each))).toEqual([]);
  });

  pure('of a message take one pass over the longest text', () => {
    const text = new RegExp(schemas['NewThread']?.properties?.['text']?.pattern ?? '', 'u');
    // Matching that goes back needs ten billion steps for these, and would not end within the time of the test.
    for (const each of [' '.repeat(100_000), `${'a'.repeat(100_000)}\u0000`, `${'a '.repeat(50_000)}\u0000`]) {
      expect(text.test(each)).toBe(false);
    }
  });
});
