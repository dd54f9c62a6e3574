import { describe, expect, onTestFinished, vi } from 'vitest';
import type { GenerationEvent } from '../../src/modules/responses/generation/processor.js';
import {
  breakConnection,
  finish,
  gate,
  hang,
  httpError,
  reasoning,
  text,
  toolCall,
  usage,
  wait,
} from '../support/model/model-script.js';
import { startModelServer } from '../support/model/model-server.js';
import { assistant, isSpoken, it, listen, processorAt, question, summary, user } from './listening.js';

const signal = new AbortController().signal;
const patience = { timeout: 20_000 };

describe('an answer', () => {
  it('comes out piece by piece, in order, with its token counts', async ({ server }) => {
    server.enqueue([text('Hel'), text('lo'), usage(7, 2), finish()]);
    const { events, error } = await listen(processorAt(server), 'Hi');
    expect(error).toBeUndefined();
    expect(events.filter(isSpoken)).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'usage', inputTokens: 7, outputTokens: 2 },
    ]);
  });

  it('passes on each piece before the model sends the next', async ({ server }) => {
    const { passed, open } = gate();
    server.enqueue([text('first'), wait(passed), text('second')]);
    const events: GenerationEvent[] = [];
    const heard = listen(processorAt(server), 'Hi', { events });
    await vi.waitFor(() => expect(events.filter(isSpoken)).toEqual([{ type: 'text', text: 'first' }]), patience);
    open();
    expect((await heard).text).toBe('firstsecond');
  });

  it('closes the connection when its reader throws', async ({ server }) => {
    server.enqueue([text('first'), hang()]);
    const leave = () => {
      throw new Error('The reader leaves.');
    };
    await expect((await processorAt(server)).generate({ conversation: [user('Hi')], signal }, leave)).rejects.toThrow();
    await server.lastRequest.closed;
  });
});

describe('a question', () => {
  const call = {
    id: 'call_1',
    name: 'user_get_choice',
    arguments: { question: ' Which? ', choices: ['Tea', 'Coffee'] },
  };

  it('comes out after the text, when the answer is complete', async ({ server }) => {
    server.enqueue([text('Let me ask.'), ...toolCall(call), finish('tool_calls')]);
    const { events, error } = await listen(processorAt(server), 'Hi');
    expect(error).toBeUndefined();
    expect(events.filter(isSpoken).at(0)).toEqual({ type: 'text', text: 'Let me ask.' });
    expect(events.at(-1)).toEqual({
      type: 'choice',
      toolUseId: 'call_1',
      question: 'Which?',
      choices: ['Tea', 'Coffee'],
    });
  });

  it('shows that the model is alive while it is being written', async ({ server }) => {
    const { passed, open } = gate();
    const [start, first, ...rest] = toolCall(call);
    server.enqueue([start, first, wait(passed), ...rest, finish('tool_calls')].filter((step) => step !== undefined));
    const events: GenerationEvent[] = [];
    const heard = listen(processorAt(server), 'Hi', { events });
    await vi.waitFor(() => expect(events[0]).toMatchObject({ type: 'thinking', text: '' }), patience);
    open();
    await heard;
  });

  it.for([
    ['an unknown tool', { ...call, name: 'launch_rocket' }],
    ['no question', { ...call, arguments: { choices: ['Tea', 'Coffee'] } }],
    ['arguments that nothing can repair', { ...call, arguments: 'what' }],
  ] as const)('with %s is asked once more without tools', async ([_case, broken], { server }) => {
    server.enqueue([...toolCall(broken), finish('tool_calls')]);
    const { text: said, error } = await listen(processorAt(server), 'Hi');
    expect([said, error]).toEqual(['Hello from the model.', undefined]);
    expect(server.requests.map(({ body }) => body.tools !== undefined)).toEqual([true, false]);
  });
});

describe('a model whose template opens the thinking', () => {
  it.for([
    ['up to the closing tag', [text('Hm. '), text('So.</th'), text('ink>\n\nHello')], 'Hello', 'Hm. So.'],
    ['to the end, where nothing closes it and nothing follows', [text('Hello')], '', 'Hello'],
  ] as const)('thinks %s', async ([_case, script, said, thought], { server }) => {
    server.enqueue([...script, finish()]);
    const { text: answer, thinking } = await listen(processorAt(server, { opensThinking: true }), 'Hi');
    expect({ answer, thinking }).toEqual({ answer: said, thinking: thought });
  });
});

describe('the request', () => {
  it('holds the system prompt, the whole conversation and the tool', async ({ server }) => {
    const conversation = [summary('They spoke of tea.'), user('One'), assistant('Two'), user('Three'), user('Four')];
    await listen(processorAt(server, { systemPrompt: 'Be kind.' }), conversation);
    const { body } = server.lastRequest;
    expect(body).toMatchObject({ model: 'test-model', stream: true, stream_options: { include_usage: true } });
    expect(body.messages).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Summary of the conversation so far:\n\nThey spoke of tea.\n\nOne' },
      { role: 'assistant', content: 'Two' },
      { role: 'user', content: 'Three\n\nFour' },
    ]);
    expect(body.tools).toMatchObject([
      {
        type: 'function',
        function: {
          name: 'user_get_choice',
          parameters: {
            type: 'object',
            required: ['question', 'choices'],
            properties: { question: { type: 'string' }, choices: { type: 'array', minItems: 2, maxItems: 10 } },
          },
        },
      },
    ]);
  });

  it('carries the key, and no system message when there is no system prompt', async ({ server }) => {
    await listen(processorAt(server, { apiKey: 'secret' }), 'Hi');
    expect(server.lastRequest.headers.authorization).toBe('Bearer secret');
    expect(server.lastRequest.body.messages).toEqual([{ role: 'user', content: 'Hi' }]);
  });
});

describe('a redirect', () => {
  const elsewhere = (status: number, location: string) => [httpError(status, { headers: { location } })];

  it.for([301, 302, 307, 308])('of %i on the same host is followed, with the key', async (status, { server }) => {
    const next = await startModelServer();
    onTestFinished(() => next.close());
    server.enqueue(elsewhere(status, `${next.url}/chat/completions`));
    next.enqueue([text('Hello')]);
    expect((await listen(processorAt(server, { apiKey: 'secret' }), 'Hi')).text).toBe('Hello');
    expect(next.lastRequest.headers.authorization).toBe('Bearer secret');
    expect(next.lastRequest.body).toEqual(server.lastRequest.body);
  });

  it('to another host gets neither the key nor the conversation, and is named in the error', async ({ server }) => {
    const stranger = await startModelServer();
    onTestFinished(() => stranger.close());
    const address = `${stranger.url.replace('127.0.0.1', 'localhost')}/chat/completions`;
    server.enqueue(elsewhere(308, address));
    const { error } = await listen(processorAt(server, { apiKey: 'secret' }), 'Hi');
    expect(error).toMatchObject({ code: 'model_rejected_request' });
    expect(String(error?.cause)).toContain(address);
    expect(stranger.requests).toEqual([]);
  });

  it.for([301, 302])(
    'of %i to a page for people is not followed, and is named in the error',
    async (status, { server }) => {
      server.enqueue(elsewhere(status, '/sign-in'));
      const { error } = await listen(processorAt(server, { apiKey: 'secret' }), 'Hi');
      expect(error).toMatchObject({ code: 'model_rejected_request' });
      expect(String(error?.cause)).toContain('/sign-in');
      expect(server.requests).toHaveLength(1);
    },
  );

  it('that leads round and round is given up', async ({ server }) => {
    server.respond(() => elsewhere(308, `${server.url}/chat/completions`));
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({ code: 'model_rejected_request' });
    expect(server.requests).toHaveLength(4);
  });
});

describe('a connection that the server closes as a request comes', () => {
  const broken = [breakConnection({ reset: true })];

  it('is replaced by a new one if it was kept from an earlier answer', async ({ server }) => {
    server.enqueue([text('One')], broken, [text('Two')]);
    await listen(processorAt(server), 'Hi');
    expect((await listen(processorAt(server), 'Hi')).text).toBe('Two');
    expect(server.requests).toHaveLength(3);
  });

  it.for([
    ['new', [broken], 1],
    ['the one that replaces another', [[text('One')], broken, broken], 3],
    ['kept, but the answer has begun', [[text('One')], [text('Two'), ...broken]], 2],
  ] as const)('fails the call if it is %s', async ([, scripts, requests], { server }) => {
    server.enqueue(...scripts);
    if (scripts.length > 1) await listen(processorAt(server), 'Hi');
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({ code: 'model_connection_lost' });
    expect(server.requests).toHaveLength(requests);
  });
});

describe('a kept connection that breaks while the model thinks', () => {
  it('fails the call, which may have cost something', async ({ server }) => {
    const thinks = gate();
    server.enqueue([text('One')], [wait(thinks.passed), breakConnection({ reset: true })]);
    await listen(processorAt(server), 'Hi');
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const heard = listen(processorAt(server), 'Hi');
    await expect.poll(() => server.requests.length).toBe(2);
    vi.advanceTimersByTime(3000);
    thinks.open();
    expect((await heard).error).toMatchObject({ code: 'model_connection_lost' });
    expect(server.requests).toHaveLength(2);
  });
});

describe('a model that knows no tools', () => {
  const refusal = httpError(400, { message: 'tiny:1b does not support tools' });

  it('is asked again without them, with earlier questions as plain text', async ({ server }) => {
    server.enqueue([refusal]);
    const conversation = [user('Hi'), assistant('', question('q', 'Which?', 'Tea', 'Coffee')), user('Tea')];
    expect(await listen(processorAt(server), conversation)).toMatchObject({
      text: 'Hello from the model.',
      error: undefined,
    });
    expect(server.lastRequest.body.tools).toBeUndefined();
    expect(server.lastRequest.body.messages.slice(1)).toEqual([
      { role: 'assistant', content: 'Which?\n- Tea\n- Coffee' },
      { role: 'user', content: 'Tea' },
    ]);
  });
});

describe('a summary', () => {
  const conversation = [user('Hi'), assistant('Well.', question('q', 'Which?', 'Tea', 'Coffee'))];

  it('is asked for with the whole conversation and without tools', async ({ server }) => {
    server.enqueue([reasoning('Hm.'), text(' They greeted. '), finish()]);
    const processor = await processorAt(server, { systemPrompt: 'Be kind.' });
    expect(await processor.summarize({ conversation, signal })).toBe('They greeted.');
    const { messages, tools } = server.lastRequest.body;
    expect(tools).toBeUndefined();
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[0]?.content).toContain('shorten conversations');
    expect(messages[2]?.content).toBe('Well.\n\nWhich?\n- Tea\n- Coffee');
  });

  it('that is empty fails', async ({ server }) => {
    server.enqueue([text(' \n'), finish()]);
    await expect((await processorAt(server)).summarize({ conversation, signal })).rejects.toMatchObject({
      code: 'model_empty_response',
      retryable: true,
    });
  });
});
