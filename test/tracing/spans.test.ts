/** Which spans a request and its response have, how they belong together, and what they say. */
import { describe, expect, vi } from 'vitest';
import {
  finish,
  gate,
  httpError,
  type ModelScript,
  text,
  toolCall,
  usage,
  wait,
} from '../support/model/model-script.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { it, tracedCaller } from './traced-service.js';

/** Sends a message to a new thread, and waits for its response. */
async function ask(ada: Person, headers: Record<string, string>, words = 'Hi') {
  const sent = await ada.rest.createThread({ text: words }, { headers });
  await ada.rest.streamToEnd(sent);
  return sent;
}

function linesOf({ log }: TestService, traceId: string) {
  return log.map((line) => JSON.parse(line)).filter((line) => line.traceId === traceId);
}

describe('a request with a traceparent', () => {
  it('has spans in that trace: itself, its operation, its response and the call of the model', async ({
    collector,
    service,
    ada,
  }) => {
    service.model.enqueue([text('Hello'), usage(70, 7), finish()]);
    const { traceId, spanId, headers } = tracedCaller();
    const { threadId, messageId } = await ask(ada, { ...headers, 'x-request-id': 'req-of-ada' });
    const call = await collector.span(traceId, 'chat scripted');
    const response = await collector.span(traceId, 'generate response');
    const operation = await collector.span(traceId, 'mutation');
    const request = await collector.span(traceId, 'POST /api/v1/threads');
    expect([request.parentId, operation.parentId, response.parentId, call.parentId]).toEqual([
      spanId,
      request.spanId,
      request.spanId,
      response.spanId,
    ]);
    expect(request).toMatchObject({
      kind: 'server',
      isError: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/threads',
        'http.response.status_code': 201,
        'skein.request_id': 'req-of-ada',
      },
    });
    expect(operation).toMatchObject({
      kind: 'internal',
      attributes: { 'graphql.operation.type': 'mutation', 'skein.outcome': 'succeeded' },
    });
    expect(response).toMatchObject({
      kind: 'consumer',
      isError: false,
      attributes: {
        'skein.response_id': messageId,
        'skein.thread_id': threadId,
        'skein.attempt': 1,
        'skein.outcome': 'succeeded',
      },
    });
    expect(call).toMatchObject({
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'compatible',
        'gen_ai.request.model': 'scripted',
        'gen_ai.usage.input_tokens': 70,
        'gen_ai.usage.output_tokens': 7,
        'gen_ai.response.time_to_first_chunk': expect.any(Number),
        'skein.provider_request_id': expect.stringMatching(/^req-/),
      },
    });
    expect(service.model.lastRequest.headers['traceparent']).toBe(`00-${traceId}-${call.spanId}-01`);
  });

  it('is named with its trace in the lines of the log', async ({ collector, service, ada }) => {
    const { traceId, headers } = tracedCaller();
    await ask(ada, headers);
    await collector.span(traceId, 'POST /api/v1/threads');
    const messages = linesOf(service, traceId).map((line) => line.msg);
    expect(messages.toSorted()).toEqual(['request', 'response ended']);
  });

  it('names the operation of GraphQL as an attribute, since callers choose it', async ({ collector, ada }) => {
    const { traceId, headers } = tracedCaller();
    await ada.graphql.run({ query: 'query WhoAmI { me { sub } }' }, headers);
    const request = await collector.span(traceId, 'POST /graphql');
    expect(await collector.span(traceId, 'query')).toMatchObject({
      parentId: request.spanId,
      attributes: { 'graphql.operation.name': 'WhoAmI', 'graphql.operation.type': 'query' },
    });
  });

  it('leaves a trace that its caller does not record unrecorded, and says so to the model', async ({
    collector,
    service,
    ada,
  }) => {
    const { traceId, headers } = tracedCaller({ isSampled: false });
    await ask(ada, headers);
    expect(service.model.lastRequest.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    const later = tracedCaller();
    await ask(ada, later.headers);
    await collector.span(later.traceId, 'generate response');
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });
});

it.for(['', 'nonsense', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01, 2`])(
  'a request without a valid traceparent begins a trace: "%s"',
  async (traceparent, { collector, service, ada }) => {
    const { messageId } = await ask(ada, traceparent === '' ? {} : { traceparent });
    const response = await vi.waitFor(
      () => {
        const found = collector.spans.find((span) => span.attributes['skein.response_id'] === messageId);
        return found ?? expect.fail('no span of the response');
      },
      { timeout: 20_000 },
    );
    const request = await collector.span(response.traceId, 'POST /api/v1/threads');
    expect(response.parentId).toBe(request.spanId);
    expect(request.parentId).toBe('');
    expect(request.traceId).not.toBe('a'.repeat(32));
    expect(service.model.lastRequest.headers['traceparent']).toContain(request.traceId);
  },
);

const question = { question: 'Which?', choices: ['A', 'B'] };
const ways: [string, ModelScript, (threadId: string) => string][] = [
  ['sendMessage', [text('Hello')], (id) => `sendMessage(input: {threadId: "${id}", text: "And?"})`],
  [
    'answerChoice',
    [...toolCall({ id: 'call_1', name: 'user_get_choice', arguments: question }), finish('tool_calls')],
    (id) => `answerChoice(input: {threadId: "${id}", toolUseId: "call_1", choice: "A"})`,
  ],
  ['continueThread', [text('Hello')], (id) => `continueThread(input: {threadId: "${id}", text: "Go on"})`],
];

describe('every way to send a message', () => {
  it.for(ways)('carries the trace to the response: %s', async ([, script, field], { collector, service, ada }) => {
    service.model.enqueue(script);
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    const { traceId, headers } = tracedCaller();
    await ada.graphql.run<string>({ query: `mutation { ${field(threadId)} { __typename } }` }, headers);
    const request = await collector.span(traceId, 'POST /graphql');
    expect((await collector.span(traceId, 'generate response')).parentId).toBe(request.spanId);
  });
});

describe('a call of the model that fails', () => {
  it('has a span of its own with the kind of the error, and so has the next one', async ({
    collector,
    service,
    ada,
  }) => {
    service.model.enqueue([httpError(503)], [text('Hello')]);
    const { traceId, headers } = tracedCaller();
    await ask(ada, headers);
    const response = await collector.span(traceId, 'generate response');
    const calls = collector.spans.filter((span) => span.traceId === traceId && span.name === 'chat scripted');
    expect(calls.map(({ isError, attributes }) => [isError, attributes['error.type']])).toEqual([
      [true, 'model_unavailable'],
      [false, undefined],
    ]);
    expect(response).toMatchObject({ isError: false, attributes: { 'skein.outcome': 'succeeded' } });
  });

  it('for good makes the response one that failed', async ({ collector, service, ada }) => {
    service.model.enqueue([httpError(401)]);
    const { traceId, headers } = tracedCaller();
    await ask(ada, headers);
    expect(await collector.span(traceId, 'generate response')).toMatchObject({
      isError: true,
      attributes: { 'error.type': 'model_unauthorized', 'skein.outcome': 'failed' },
    });
  });
});

describe('a response that another worker reclaims', () => {
  it('has a span for each, in the same trace', async ({ collector, service, ada }) => {
    const going = gate();
    service.model.enqueue([text('Hel'), wait(going.passed)], [text('Hello')]);
    const { traceId, headers } = tracedCaller();
    const sent = await ada.rest.createThread({ text: 'Hi' }, { headers });
    const stream = await ada.rest.stream(sent);
    await stream.next();
    // The worker that has it is lost at once, as if it had been another node's.
    await service.sql(`WITH taken AS (UPDATE thread SET epoch = epoch + 1 WHERE id = '${sent.threadId}' RETURNING epoch)
       UPDATE response SET epoch = taken.epoch, worker_id = 'lost', lease_until = clock_timestamp() - interval '1 second'
       FROM taken WHERE message_id = '${sent.messageId}'`);
    const attempts = () => collector.spans.filter((span) => span.traceId === traceId && span.kind === 'consumer');
    await expect.poll(() => attempts()).toHaveLength(2);
    going.open();
    const request = await collector.span(traceId, 'POST /api/v1/threads');
    const said = attempts().map(({ attributes }) => [attributes['skein.attempt'], attributes['skein.outcome']]);
    expect(said.toSorted()).toEqual([
      [1, 'abandoned'],
      [2, 'succeeded'],
    ]);
    expect(new Set(attempts().map((span) => span.parentId))).toEqual(new Set([request.spanId]));
  });
});

it('a summary is a call of the model within the response', async ({ collector }) => {
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '20',
    AI_CONTEXT_TOKENS: '1000',
  };
  await using service = await startTestService({ environment });
  const ada = await service.person();
  const { threadId } = await ada.rest.readyThread({ text: 'long '.repeat(1000) });
  const { traceId, headers } = tracedCaller();
  await ada.rest.answer(await ada.rest.send(threadId, 'And?', { headers }));
  const response = await collector.span(traceId, 'generate response');
  const calls = collector.spans.filter((span) => span.traceId === traceId && span.name === 'chat scripted');
  expect(calls.map((call) => call.parentId)).toEqual([response.spanId, response.spanId]);
  const sent = service.model.requests.slice(-2).map((request) => request.headers['traceparent']);
  expect(sent).toEqual(calls.map((call) => `00-${traceId}-${call.spanId}-01`));
});

describe('the collector', () => {
  it('is told the service, the process and the attributes of the configuration', async ({ collector, ada }) => {
    const { traceId, headers } = tracedCaller();
    await ada.rest.get('/me', { headers });
    const { resource } = await collector.span(traceId, 'GET /api/v1/me');
    expect(resource).toMatchObject({
      'service.name': 'skein',
      'service.instance.id': expect.stringContaining(`${process.pid}@`),
      'deployment.environment.name': 'test',
      place: 'a,b',
    });
  });

  it('gets the headers of the configuration at /v1/traces', async ({ collector, ada }) => {
    const { traceId, headers } = tracedCaller();
    await ada.rest.get('/me', { headers });
    await collector.span(traceId, 'GET /api/v1/me');
    expect(collector.requests[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'x-collector-key': 'collector secret', 'content-type': 'application/x-protobuf' },
    });
  });

  it('hears nothing of probes', async ({ collector, service, ada }) => {
    const probe = tracedCaller();
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      await fetch(service.url + path, { headers: probe.headers });
    }
    const later = tracedCaller();
    await ada.rest.get('/me', { headers: later.headers });
    await collector.span(later.traceId, 'GET /api/v1/me');
    expect(collector.spans.filter((span) => span.traceId === probe.traceId)).toEqual([]);
  });
});

/** Each text that these tests send contains one of these, and nothing else of the service does. */
const secrets = {
  message: 'quagga-tells-all',
  name: 'xylophone-project',
  answer: 'okapi-answers-it',
  search: 'zyzzyva-search',
  feedback: 'vuvuzela-comment',
  path: 'axolotl-in-a-path',
  state: 'numbat-in-a-header',
};

describe('the spans', () => {
  it('hold nothing of a conversation, a token, a query string or a path', async ({ collector, service, ada }) => {
    const { traceId, headers } = tracedCaller();
    const caller = { headers: { ...headers, tracestate: `x=${secrets.state}`, baggage: `user=${secrets.state}` } };
    const choice = { question: secrets.answer, choices: [secrets.answer, 'B'] };
    service.model.enqueue([
      text(secrets.answer),
      ...toolCall({ id: 'call_1', name: 'user_get_choice', arguments: choice }),
      finish('tool_calls'),
    ]);
    const body = { text: secrets.message, name: secrets.name };
    const { threadId, messageId } = await ada.rest.createThread(body, caller);
    const [answer] = await ada.rest.answer({ threadId, messageId });
    const path = `/threads/${threadId}/messages`;
    const rating = { positive: true, feedback_text: secrets.feedback };
    await ada.rest.post(`${path}/${answer?.id}/feedback`, rating, caller);
    await ada.rest.get(`/threads?q=${secrets.search}`, caller);
    await ada.rest.get(`/me?access_token=${ada.token}`, caller);
    await ada.rest.get(`/threads/${secrets.path}`, caller);
    await fetch(`${service.url}/${secrets.path}`, caller);
    await fetch(`${service.url}/auth/${secrets.path}?token=${secrets.path}`, caller);
    await fetch(`${service.url}/attachments/${secrets.path}`, caller);
    await ada.graphql.run<string>(
      { query: `{ threads(first: 5, filter: "${secrets.search}") { x } }` },
      caller.headers,
    );
    await ada.graphql.run<string>(
      { query: `mutation { createThread(input: {text: "${secrets.message}"}) { __typename } }` },
      { ...caller.headers },
    );
    const last = tracedCaller();
    await ada.rest.get('/me', last);
    // Both conversations: one that went on would take the model's answer of another test.
    const responses = () =>
      collector.spans.filter((span) => span.traceId === traceId && span.name === 'generate response');
    await expect.poll(() => responses()).toHaveLength(2);
    await collector.span(last.traceId, 'GET /api/v1/me');
    expect(collector.spans.filter((span) => span.traceId === traceId).length).toBeGreaterThan(10);
    for (const secret of [...Object.values(secrets), ada.token, ada.token.slice(8, 18), 'collector secret']) {
      expect(collector.text).not.toContain(secret);
    }
  });

  it('hold nothing of an error of the model, which may repeat the prompt', async ({ collector, service, ada }) => {
    const echo = `You said: ${secrets.message}`;
    const { traceId, headers } = tracedCaller();
    service.model.enqueue([
      httpError(400, { message: echo, code: echo, type: echo, headers: { 'x-request-id': echo } }),
    ]);
    await ask(ada, headers, secrets.message);
    expect((await collector.span(traceId, 'generate response')).isError).toBe(true);
    expect(collector.text).not.toContain(secrets.message);
  });

  it('send the model nothing of the caller but the trace', async ({ service, ada }) => {
    const { traceId, headers } = tracedCaller();
    const caller = { headers: { ...headers, tracestate: `x=${secrets.state}`, baggage: `user=${secrets.state}` } };
    await ask(ada, caller.headers);
    const sent = service.model.lastRequest.headers;
    expect(sent['traceparent']).toContain(traceId);
    expect(JSON.stringify(sent)).not.toContain(secrets.state);
  });

  it('have few names, whatever callers ask for', async ({ collector, service, ada }) => {
    const { traceId, headers } = tracedCaller();
    for (const path of ['/threads/thr_x1', '/nothing/x2']) await ada.rest.get(path, { headers });
    await fetch(`${service.url}/x3`, { method: 'PROPFIND', headers });
    await ada.graphql.run({ query: 'query NamedX4 { me { sub } }' }, headers);
    await collector.span(traceId, 'POST /graphql');
    await collector.span(traceId, 'other');
    const names = collector.spans.filter((span) => span.traceId === traceId).map((span) => span.name);
    expect(names).toContain('GET /api/v1/threads/{thread-id}');
    expect(names.filter((name) => /x[1-4]/i.test(name))).toEqual([]);
  });
});
