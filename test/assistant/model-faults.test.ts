import { inspect } from 'node:util';
import { beforeEach, describe, expect, it as pure, vi } from 'vitest';
import { generationFault } from '../../src/assistant/generation-faults.js';
import { retryAfterMs } from '../../src/assistant/retry-after.js';
import { defaultGenerationLimits } from '../../src/modules/responses/generation/limits.js';
import {
  type GenerationErrorCode,
  type GenerationEvent,
  generationErrorCodes,
} from '../../src/modules/responses/generation/processor.js';
import {
  breakConnection,
  cutStream,
  errorFrame,
  finish,
  gate,
  hang,
  httpError,
  type ModelScript,
  openStream,
  rawFrame,
  reasoning,
  text,
  toolCall,
  wait,
} from '../support/model/model-script.js';
import { it, limited, listen, processorAt, user } from './listening.js';

const secret = 'sk-secret-words-of-the-provider';

/** How services that people use say that a conversation is too long. */
const tooLong = [
  "This model's maximum context length is 4096 tokens. You requested 5000 tokens.",
  'prompt is too long: 210000 tokens > 200000 maximum',
  'The input token count (1048577) exceeds the maximum number of tokens allowed.',
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  'Range of input length should be [1, 129024]',
  'Input length 131393 exceeds the maximum allowed input length of 131040 tokens.',
  'prompt token count of 130543 exceeds the limit of 128000',
  'Prompt exceeds max length',
  'length of prompt_tokens (40000) must be less than max_seq_len (32768).',
  'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
  'tokens in request more than max tokens allowed',
  'Token limit exceeded',
];

describe('an HTTP error', () => {
  it.for([
    [400, 'model_rejected_request', false],
    [401, 'model_unauthorized', false],
    [402, 'model_quota_exceeded', false],
    [403, 'model_unauthorized', false],
    [404, 'model_rejected_request', false],
    [408, 'model_timeout', true],
    [409, 'model_unavailable', true],
    [413, 'model_context_exceeded', false],
    [422, 'model_rejected_request', false],
    [429, 'model_rate_limited', true],
    [500, 'model_unavailable', true],
    [502, 'model_unavailable', true],
    [503, 'model_unavailable', true],
    [504, 'model_timeout', true],
    [529, 'model_unavailable', true],
  ] as const)('%i is %s, retryable: %s', async ([status, code, retryable], { server }) => {
    server.enqueue([text('First'), finish()], [httpError(status, { message: secret })]);
    const processor = await processorAt(server);
    await listen(processor, 'Hi');
    const { error, events } = await listen(processor, 'Hi');
    expect(error).toMatchObject({ name: 'GenerationError', code, retryable });
    expect(error?.message).not.toContain(secret);
    expect(String(error?.cause)).toContain(secret);
    expect(events).toEqual([]);
  });

  it('keeps no text of the conversation for the log', async ({ server }) => {
    server.enqueue([httpError(503, { message: secret })]);
    const { error } = await listen(processorAt(server, { systemPrompt: 'Be kind.' }), 'My private words');
    const logged = inspect(error, { depth: 9 });
    expect(logged).toContain(secret);
    expect(logged).not.toMatch(/My private words|Be kind/);
  });

  it.for<readonly [code: GenerationErrorCode, status: number, words: Parameters<typeof httpError>[1]]>([
    ['model_context_exceeded', 400, { code: 'context_length_exceeded' }],
    [
      'model_context_exceeded',
      400,
      { type: 'exceed_context_size_error', message: 'exceeds the available context size' },
    ],
    ['model_context_exceeded', 400, { body: 'when context the overflows. Context length of only 4096 tokens' }],
    ...tooLong.map((message) => ['model_context_exceeded', 400, { message }] as const),
    ['model_content_filtered', 400, { code: 'content_filter' }],
    ['model_content_filtered', 400, { code: 'content_policy_violation' }],
    ...['余额不足或无可用资源包,请充值。', 'Arrearage', 'Account in arrears, please recharge'].map(
      (message) => ['model_quota_exceeded', 429, { message }] as const,
    ),
  ])('is %s where one with the status %i says so: %j', async ([code, status, words], { server }) => {
    server.enqueue([httpError(status, words)]);
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({ code, retryable: false });
  });
});

it.for([
  [{ message: secret, code: 429 }, 'model_rate_limited', true],
  [{ message: secret, code: 'rate_limit_exceeded' }, 'model_rate_limited', true],
  [{ message: `${secret}: Too many tokens, please wait before trying again.` }, 'model_rate_limited', true],
  [{ message: `${secret}: too many tokens per minute` }, 'model_rate_limited', true],
  [{ message: secret, code: 'context_length_exceeded' }, 'model_context_exceeded', false],
  [{ message: secret, type: 'BadRequestError', code: 400 }, 'model_rejected_request', false],
  [{ message: secret, type: 'authentication_error' }, 'model_unauthorized', false],
  [{ message: secret, type: 'server_error' }, 'model_unavailable', true],
] as const)('a frame with the error %j is %s', async ([words, code, retryable], { server }) => {
  server.enqueue([text('Half an '), errorFrame(words)]);
  const { error } = await listen(processorAt(server), 'Hi');
  expect(error).toMatchObject({ code, retryable });
  expect(error?.message).not.toContain(secret);
});

describe('a fault', () => {
  it('prints nothing', async ({ server }) => {
    const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
    const spies = methods.map((method) => vi.spyOn(console, method));
    const streams = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    server.enqueue([breakConnection()], [httpError(503)], [text('Half'), cutStream()]);
    for (let count = 0; count < 3; count += 1) expect((await listen(processorAt(server), 'Hi')).error).toBeDefined();
    for (const spy of [...spies, ...streams]) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  pure('has its own sentence for every code', () => {
    const sentences = generationErrorCodes.map((code) => generationFault(code).message);
    expect(new Set(sentences).size).toBe(generationErrorCodes.length);
  });
});

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-11-20T12:00:00Z');
  pure.each([
    [undefined, undefined],
    [{}, undefined],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '2', 'retry-after-ms': '1750' }, 1750],
  ])('%j is %s ms', (headers, expected) => {
    expect(retryAfterMs(headers as Record<string, string> | undefined, nowMs)).toBe(expected);
  });
});

const patience = { timeout: 10_000 };

/** A piece of text in a frame that also has a reason. */
const withReason = (content: string) =>
  rawFrame(JSON.stringify({ choices: [{ delta: { content }, finish_reason: 'stop' }] }));

const lost = { code: 'model_connection_lost', retryable: true };

describe('a connection', () => {
  it('that is refused is model_unavailable', async ({ server }) => {
    const processor = processorAt(server);
    await server.close();
    expect((await listen(processor, 'Hi')).error).toMatchObject({ code: 'model_unavailable', retryable: true });
  });

  it.for([true, false])(
    'that breaks before the first byte is reported as lost (reset: %s)',
    async (reset, { server }) => {
      server.enqueue([breakConnection({ reset })]);
      expect((await listen(processorAt(server), 'Hi')).error).toMatchObject(lost);
    },
  );
});

describe('a stream that ends before the model has finished', () => {
  it.for<[string, ModelScript]>([
    ['before the first frame', []],
    ['after the headers', [openStream()]],
    ['in the middle of the text', [text('Half an ')]],
    ['in the middle of the thinking', [reasoning('Let me ')]],
    ['in the middle of a question', toolCall({ id: 'c', name: 'user_get_choice', arguments: '{"question": "Whi' })],
    [
      'after a question',
      toolCall({ id: 'c', name: 'user_get_choice', arguments: { question: 'Q', choices: ['A', 'B'] } }),
    ],
  ])('%s is a lost connection, never an answer', async ([, steps], { server }) => {
    server.enqueue([...steps, cutStream()]);
    const { error, events } = await listen(processorAt(server), 'Hi');
    expect(error).toMatchObject(lost);
    expect(events.filter(({ type }) => type === 'choice')).toEqual([]);
  });
});

describe('an abort', () => {
  const halfQuestion = toolCall({ id: 'c', name: 'user_get_choice', arguments: '{"question' });
  it.for<[string, ModelScript, number]>([
    ['before the headers', [hang()], 0],
    ['after the headers', [openStream(), hang()], 1],
    ['in the middle of the text', [text('Half an '), hang()], 2],
    ['in the middle of a question', [...halfQuestion, hang()], 4],
  ])(
    '%s ends the generation with its reason and closes the connection',
    async ([, script, eventsBefore], { server }) => {
      server.enqueue(script);
      const stop = new AbortController();
      const reason = new Error('The user pressed stop.');
      const events: GenerationEvent[] = [];
      const heard = listen(processorAt(server), 'Hi', { signal: stop.signal, events });
      await vi.waitFor(() => expect(server.requests).toHaveLength(1), patience);
      await vi.waitFor(() => expect(events).toHaveLength(eventsBefore), patience);
      stop.abort(reason);
      expect((await heard).error).toBe(reason);
      await server.lastRequest.closed;
    },
  );

  it('that comes first prevents the request', async ({ server }) => {
    const reason = new Error('too late');
    expect((await listen(processorAt(server), 'Hi', { signal: AbortSignal.abort(reason) })).error).toBe(reason);
    expect(server.requests).toHaveLength(0);
  });
});

describe('a hanging model', () => {
  const limits = { firstEventMs: 60_000, silenceMs: 30_000, totalMs: 600_000, maxTextBytes: 1_000 };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return () => vi.useRealTimers();
  });

  it.for<[string, ModelScript, object[], number]>([
    ['before the headers', [hang()], [], limits.firstEventMs],
    ['after the headers', [openStream(), hang()], [], limits.firstEventMs],
    ['in the middle of the text', [text('Half'), hang()], [{ type: 'text', text: 'Half' }], limits.silenceMs],
  ])('%s is given up at the limit, and its connection is closed', async ([, script, before, limitMs], { server }) => {
    server.enqueue(script);
    const events: GenerationEvent[] = [];
    const heard = listen(limited(processorAt(server), limits), 'Hi', { events });
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), patience);
    await vi.waitFor(() => expect(events).toEqual(before), patience);
    await vi.advanceTimersByTimeAsync(limitMs);
    expect((await heard).error).toMatchObject({ code: 'model_timeout', retryable: true });
    expect(events).toEqual(before);
    await server.lastRequest.closed;
  });

  it('is waited for in the middle of an answer of which each piece has a reason', async ({ server }) => {
    const rest = gate();
    server.enqueue([...['Hel', 'l'].map(withReason), wait(rest.passed), withReason('o'), rawFrame('[DONE]')]);
    const events: GenerationEvent[] = [];
    const heard = listen(processorAt(server), 'Hi', { events });
    await vi.waitFor(() => expect(events.filter(({ type }) => type === 'text')).toHaveLength(2), patience);
    await vi.advanceTimersByTimeAsync(limits.silenceMs - 1);
    rest.open();
    expect(await heard).toMatchObject({ text: 'Hello', error: undefined });
  });

  it('is not waited for to the limit after a reason that came with text', async ({ server }) => {
    server.enqueue([withReason('Hello'), hang()]);
    const events: GenerationEvent[] = [];
    const heard = listen(limited(processorAt(server), limits), 'Hi', { events });
    await vi.waitFor(() => expect(events.at(-1)).toEqual({ type: 'text', text: 'Hello' }), patience);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await heard).toMatchObject({ text: 'Hello', error: undefined });
    await server.lastRequest.closed;
  });

  it('is left at once when it has failed after a reason', async ({ server }) => {
    server.enqueue([withReason('Hello'), errorFrame({ message: 'overloaded', code: 503 }), hang()]);
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({ code: 'model_unavailable' });
    await server.lastRequest.closed;
  });

  it('is abandoned during a summary as well', async ({ server }) => {
    server.enqueue([hang()]);
    const { signal } = new AbortController();
    const processor = await processorAt(server);
    const summarizing = expect(processor.summarize({ conversation: [user('Hi')], signal })).rejects;
    const refused = summarizing.toMatchObject({ code: 'model_timeout', retryable: true });
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), patience);
    await vi.advanceTimersByTimeAsync(defaultGenerationLimits.firstEventMs);
    await refused;
    await server.lastRequest.closed;
  });
});
