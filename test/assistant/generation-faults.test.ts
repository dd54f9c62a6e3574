import { inspect } from 'node:util';
import { describe, expect, vi } from 'vitest';
import { generationFault } from '../../src/assistant/generation-faults.js';
import { generationErrorCodes } from '../../src/modules/responses/generation/processor.js';
import { breakConnection, cutStream, errorFrame, finish, httpError, text } from '../support/model/model-script.js';
import { listen, processorAt } from './listening.js';
import { it } from './model-fixture.js';

const secret = 'sk-secret-words-of-the-provider';

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

  it.for([
    ['model_context_exceeded', { code: 'context_length_exceeded' }],
    [
      'model_context_exceeded',
      { message: "This model's maximum context length is 4096 tokens. You requested 5000 tokens." },
    ],
    ['model_context_exceeded', { type: 'exceed_context_size_error', message: 'exceeds the available context size' }],
    ['model_context_exceeded', { message: 'prompt is too long: 210000 tokens > 200000 maximum' }],
    [
      'model_context_exceeded',
      { message: 'The input token count (1048577) exceeds the maximum number of tokens allowed.' },
    ],
    ['model_context_exceeded', { body: 'when context the overflows. Context length of only 4096 tokens' }],
    ['model_content_filtered', { code: 'content_filter' }],
    ['model_content_filtered', { code: 'content_policy_violation' }],
  ] as const)('400 is %s where it says so: %j', async ([code, words], { server }) => {
    server.enqueue([httpError(400, words)]);
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({ code, retryable: false });
  });
});

/** How services that people use say that a conversation is too long. */
const tooLong = [
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

it.for(tooLong)('a 400 is model_context_exceeded: %s', async (message, { server }) => {
  server.enqueue([httpError(400, { message })]);
  expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({ code: 'model_context_exceeded' });
});

it.for(['余额不足或无可用资源包,请充值。', 'Arrearage', 'Account in arrears, please recharge'])(
  'a 429 is model_quota_exceeded: %s',
  async (message, { server }) => {
    server.enqueue([httpError(429, { message })]);
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({ code: 'model_quota_exceeded' });
  },
);

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

  it('has its own sentence for every code', () => {
    const sentences = generationErrorCodes.map((code) => generationFault(code).message);
    expect(new Set(sentences).size).toBe(generationErrorCodes.length);
  });
});
