/** The examples of the description: every request and answer has one, it is valid, and a problem is really sent like that. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect } from 'vitest';
import { restProblemCodes } from '../../../src/http/problems/codes.js';
import { type ReceivedEvent, readEvents } from '../../support/clients/sse.js';
import { endpointCases, initFor, nameOf, pathFor } from '../access/endpoint-cases.js';
import { answeredMessage } from '../messages/answered-message.js';
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

describe('a real answer', () => {
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
