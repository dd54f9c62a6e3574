/** The examples of the description: every request and answer has one, it is valid, and it looks like what is really sent. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect } from 'vitest';
import { restProblemCodes } from '../../../src/http/problems/codes.js';
import { type ReceivedEvent, readEvents } from '../../support/clients/sse.js';
import { endpointCases, initFor, nameOf, pathFor } from '../access/endpoint-cases.js';
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
