import { describe, expect } from 'vitest';
import type { ChatMessage } from '../support/model/model-request.js';
import { finish, text, usage } from '../support/model/model-script.js';
import type { ModelServer } from '../support/model/model-server.js';
import { it } from './model-fixture.js';

function post(server: ModelServer, body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${server.url}/chat/completions`, { method: 'POST', body: text });
}

const hi: ChatMessage = { role: 'user', content: 'Hi' };
const calls: ChatMessage = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
};
const result: ChatMessage = { role: 'tool', tool_call_id: 'c1', content: 'ok' };

describe('the model server', () => {
  it('speaks the wire format', async ({ server }) => {
    server.enqueue([text('Hel'), text('lo'), usage(3, 2), finish('stop')]);
    const response = await post(server, {
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [hi],
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const frames = (await response.text()).trimEnd().split('\n\n');
    expect(frames.at(-1)).toBe('data: [DONE]');
    const chunks = frames.slice(0, -1).map((frame) => JSON.parse(frame.slice('data: '.length)));
    expect(new Set(chunks.map(({ object, model }) => `${object} ${model}`))).toEqual(
      new Set(['chat.completion.chunk m']),
    );
    expect(chunks.map(({ choices }) => choices[0] && [choices[0].delta, choices[0].finish_reason])).toEqual([
      [{ role: 'assistant', content: '' }, null],
      [{ content: 'Hel' }, null],
      [{ content: 'lo' }, null],
      [{}, 'stop'],
      undefined,
    ]);
    expect(chunks.at(-1).usage).toEqual({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 });
  });

  it.for<[string, unknown]>([
    ['a body that is no JSON', '{'],
    ['no model', { stream: true, messages: [hi] }],
    ['no messages', { model: 'm', stream: true, messages: [] }],
    ['an unknown role', { model: 'm', stream: true, messages: [{ role: 'robot', content: 'Hi' }] }],
    ['an empty message', { model: 'm', stream: true, messages: [{ role: 'user', content: '' }] }],
    ['an unanswered tool call', { model: 'm', stream: true, messages: [hi, calls, hi] }],
    ['an unanswered tool call at the end', { model: 'm', stream: true, messages: [hi, calls] }],
    ['a result without a call', { model: 'm', stream: true, messages: [hi, result] }],
    ['two results for one call', { model: 'm', stream: true, messages: [hi, calls, result, result] }],
  ] as const)('refuses %s as the real one does', async ([_case, body], { server }) => {
    const response = await post(server, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });
});
