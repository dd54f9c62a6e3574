/** What a span never holds: what people say and are told, what they prove themselves with, and paths, which may hold both. */
import { describe, expect, vi } from 'vitest';
import type { CreatedBody } from '../support/clients/rest-types.js';
import { finish, httpError, text, toolCall } from '../support/model/model-script.js';
import { it, tracedCaller } from './traced-service.js';

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
    const { thread_id: threadId, message_id: messageId } = (await ada.rest.post<CreatedBody>('/threads', body, caller))
      .body;
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
    await vi.waitFor(() => expect(responses()).toHaveLength(2), { timeout: 30_000 });
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
    const { body } = await ada.rest.post<CreatedBody>('/threads', { text: secrets.message }, { headers });
    await ada.rest.streamToEnd({ threadId: body.thread_id, messageId: body.message_id });
    expect((await collector.span(traceId, 'generate response')).isError).toBe(true);
    expect(collector.text).not.toContain(secrets.message);
  });

  it('send the model nothing of the caller but the trace', async ({ service, ada }) => {
    const { traceId, headers } = tracedCaller();
    const caller = { headers: { ...headers, tracestate: `x=${secrets.state}`, baggage: `user=${secrets.state}` } };
    const { body } = await ada.rest.post<CreatedBody>('/threads', { text: 'Hi' }, caller);
    await ada.rest.answer({ threadId: body.thread_id, messageId: body.message_id });
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
