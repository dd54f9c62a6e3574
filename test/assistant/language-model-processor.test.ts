import { describe, expect, vi } from 'vitest';
import type { GenerationEvent } from '../../src/modules/responses/generation/processor.js';
import { finish, gate, hang, text, toolCall, usage, wait } from '../support/model/model-script.js';
import { isSpoken, listen, processorAt, user } from './listening.js';
import { it } from './model-fixture.js';

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
