import { describe, expect } from 'vitest';
import { finish, gate, reasoning, text, toolCall, usage, wait } from '../support/model/model-script.js';
import { listen, processorAt, user } from './listening.js';
import { it } from './model-fixture.js';

const signal = new AbortController().signal;

describe('an answer', () => {
  it('comes out piece by piece, in order, with its token counts', async ({ server }) => {
    server.enqueue([text('Hel'), text('lo'), usage(7, 2), finish()]);
    const { events, error } = await listen(processorAt(server), 'Hi');
    expect(error).toBeUndefined();
    expect(events).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'usage', inputTokens: 7, outputTokens: 2 },
    ]);
  });

  it('passes on each piece before the model sends the next', async ({ server }) => {
    const { passed, open } = gate();
    server.enqueue([text('first'), wait(passed), text('second')]);
    const events = (await processorAt(server)).generate({ conversation: [user('Hi')], signal })[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ type: 'text', text: 'first' });
    open();
    expect((await events.next()).value).toEqual({ type: 'text', text: 'second' });
  });

  it('keeps thinking apart from text', async ({ server }) => {
    server.enqueue([reasoning('Let me '), reasoning('see.'), text('Yes.')]);
    expect(await listen(processorAt(server), 'Hi')).toMatchObject({ thinking: 'Let me see.', text: 'Yes.' });
  });

  it('that was cut at the length limit is still an answer', async ({ server }) => {
    server.enqueue([text('Once upon'), finish('length')]);
    expect(await listen(processorAt(server), 'Hi')).toMatchObject({ text: 'Once upon', error: undefined });
  });

  it('closes the connection when its reader leaves early', async ({ server }) => {
    const { passed } = gate();
    server.enqueue([text('first'), wait(passed)]);
    for await (const event of (await processorAt(server)).generate({ conversation: [user('Hi')], signal })) {
      expect(event).toEqual({ type: 'text', text: 'first' });
      break;
    }
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
    expect(events.at(0)).toEqual({ type: 'text', text: 'Let me ask.' });
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
    const events = (await processorAt(server)).generate({ conversation: [user('Hi')], signal })[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ type: 'thinking', text: '' });
    open();
  });

  it('is an answer even without text', async ({ server }) => {
    server.enqueue([...toolCall(call), finish('tool_calls')]);
    expect((await listen(processorAt(server), 'Hi')).error).toBeUndefined();
  });

  it('ends the generation: the model is called once', async ({ server }) => {
    server.enqueue([...toolCall(call), finish('tool_calls')]);
    await listen(processorAt(server), 'Hi');
    expect(server.requests).toHaveLength(1);
  });

  it.for([
    ['broken JSON', { ...call, arguments: '{"question": "Whi' }],
    ['too few choices', { ...call, arguments: { question: 'Which?', choices: ['Tea'] } }],
    ['too many choices', { ...call, arguments: { question: 'Which?', choices: Array.from('abcdefghijk') } }],
    ['an empty choice', { ...call, arguments: { question: 'Which?', choices: ['Tea', ' '] } }],
    ['no question', { ...call, arguments: { choices: ['Tea', 'Coffee'] } }],
    ['an unknown tool', { ...call, name: 'launch_rocket' }],
  ] as const)('with %s is invalid output, and may be tried again', async ([_case, broken], { server }) => {
    server.enqueue([...toolCall(broken), finish('tool_calls')]);
    const { events, error } = await listen(processorAt(server), 'Hi');
    expect(error).toMatchObject({ code: 'model_invalid_output', retryable: true });
    expect(events.filter(({ type }) => type === 'choice')).toEqual([]);
  });
});
