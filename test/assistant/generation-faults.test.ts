import { inspect } from 'node:util';
import { describe, expect, vi } from 'vitest';
import { generationFault } from '../../src/assistant/generation-faults.js';
import { generationErrorCodes } from '../../src/modules/responses/generation/processor.js';
import {
  breakConnection,
  cutStream,
  errorFrame,
  finish,
  httpError,
  rawAnswer,
  rawFrame,
  reasoning,
  text,
} from '../support/model/model-script.js';
import { startModelServer } from '../support/model/model-server.js';
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

  it('is not retried here: the caller decides', async ({ server }) => {
    server.enqueue([httpError(503)]);
    await listen(processorAt(server), 'Hi');
    expect(server.requests).toHaveLength(1);
  });

  it('keeps the delay that the provider asks for', async ({ server }) => {
    server.enqueue(
      [httpError(429, { headers: { 'retry-after': '7' } })],
      [httpError(503, { headers: { 'retry-after-ms': '250' } })],
    );
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({
      code: 'model_rate_limited',
      retryAfterMs: 7000,
    });
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({
      code: 'model_unavailable',
      retryAfterMs: 250,
    });
  });

  it.for([
    [{ code: 'context_length_exceeded' }],
    [{ message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens." }],
    [{ type: 'exceed_context_size_error', message: 'the request exceeds the available context size' }],
    [{ message: 'prompt is too long: 210000 tokens > 200000 maximum' }],
    [{ message: 'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).' }],
    [{ body: 'Trying to keep the first 5000 tokens when context the overflows. Context length of only 4096 tokens' }],
  ] as const)('that says that the context is full is model_context_exceeded: %j', async ([words], { server }) => {
    server.enqueue([httpError(400, words)]);
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({
      code: 'model_context_exceeded',
      retryable: false,
    });
  });

  it.for([[{ code: 'content_filter' }], [{ code: 'content_policy_violation' }]] as const)(
    'that names the content filter is model_content_filtered: %j',
    async ([words], { server }) => {
      server.enqueue([httpError(400, words)]);
      expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({
        code: 'model_content_filtered',
        retryable: false,
      });
    },
  );

  it('with a body that is not JSON is classified by its status', async ({ server }) => {
    server.enqueue([httpError(502, { body: '<html>Bad gateway</html>' })]);
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({ code: 'model_unavailable' });
  });

  it('for a wrong key comes from the check of the key', async () => {
    await using strict = await startModelServer({ apiKey: 'right' });
    expect((await listen(processorAt(strict, { apiKey: 'wrong' }), 'Hi')).error).toMatchObject({
      code: 'model_unauthorized',
    });
    expect((await listen(processorAt(strict, { apiKey: 'right' }), 'Hi')).error).toBeUndefined();
  });
});

describe('a finished answer', () => {
  it('without text or question is an empty answer, which is retried', async ({ server }) => {
    server.enqueue([finish()], [text(' \n'), finish()], [reasoning('Hm.'), finish('length')]);
    for (let count = 0; count < 3; count += 1) {
      expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({
        code: 'model_empty_response',
        retryable: true,
      });
    }
  });

  it('that the content filter stopped is model_content_filtered', async ({ server }) => {
    server.enqueue([text('I would'), finish('content_filter')]);
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({
      code: 'model_content_filtered',
      retryable: false,
    });
  });

  it('with an unknown finish reason is an answer', async ({ server }) => {
    server.enqueue([text('Done.'), finish('eos')]);
    expect(await listen(processorAt(server), 'Hi')).toMatchObject({ text: 'Done.', error: undefined });
  });
});

describe('a frame', () => {
  it.for([
    ['broken JSON', '{"choices": [{"delta"'],
    ['JSON of another shape', '{"choices": "none"}'],
  ] as const)('with %s is left out of an answer', async ([_case, data], { server }) => {
    server.enqueue([text('Half an '), rawFrame(data), text('answer')]);
    expect(await listen(processorAt(server), 'Hi')).toMatchObject({ text: 'Half an answer', error: undefined });
  });

  it('that cannot be read makes an answer invalid if it has no other', async ({ server }) => {
    server.enqueue([rawAnswer('data: {"choices\n\ndata: also nothing\n\n')]);
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject({
      code: 'model_invalid_output',
      retryable: true,
    });
  });

  it.for([
    [{ message: secret, code: 429 }, 'model_rate_limited', true],
    [{ message: secret, code: 'rate_limit_exceeded' }, 'model_rate_limited', true],
    [{ message: secret, code: 'context_length_exceeded' }, 'model_context_exceeded', false],
    [{ message: secret, type: 'BadRequestError', code: 400 }, 'model_rejected_request', false],
    [{ message: secret, type: 'authentication_error' }, 'model_unauthorized', false],
    [{ message: secret, type: 'server_error' }, 'model_unavailable', true],
  ] as const)('with the error %j is %s', async ([words, code, retryable], { server }) => {
    server.enqueue([text('Half an '), errorFrame(words)]);
    const { error } = await listen(processorAt(server), 'Hi');
    expect(error).toMatchObject({ code, retryable });
    expect(error?.message).not.toContain(secret);
  });
});

describe('a fault', () => {
  it('prints nothing', async ({ server }) => {
    const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
    const spies = methods.map((method) => vi.spyOn(console, method));
    const streams = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    server.enqueue([httpError(503)], [text('Half'), cutStream()], [breakConnection()]);
    for (let count = 0; count < 3; count += 1) expect((await listen(processorAt(server), 'Hi')).error).toBeDefined();
    for (const spy of [...spies, ...streams]) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it('has its own sentence for every code', () => {
    const sentences = generationErrorCodes.map((code) => generationFault(code).message);
    expect(new Set(sentences).size).toBe(generationErrorCodes.length);
  });
});
