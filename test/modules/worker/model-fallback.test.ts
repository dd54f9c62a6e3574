/** The models that `AI_MODEL` names answer in each other's place, in their order, until viewers have seen something of one of them. */
import { describe, expect } from 'vitest';
import { summaryRequest } from '../../../src/assistant/summary-texts.js';
import { faultOfAll } from '../../../src/modules/responses/generation/fallback.js';
import { defaultGenerationLimits } from '../../../src/modules/responses/generation/limits.js';
import { GenerationError, type GenerationErrorCode } from '../../../src/modules/responses/generation/processor.js';
import { scrape } from '../../metrics/scrape.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import {
  breakConnection,
  finish,
  hang,
  httpError,
  type ModelScript,
  openStream,
  reasoning,
  text,
  usage,
} from '../../support/model/model-script.js';
import type { ModelRequest } from '../../support/model/model-server.js';
import type { TestService } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';
import { shown } from '../viewing/response-facts.js';

const it = serviceTest({
  environment: {
    AI_MODEL: 'compatible:first, compatible:second',
    AI_MODELS: 'compatible:other',
    AI_PRICES: '{"compatible:first": {"input": 9, "output": 9}, "compatible:second": {"input": 2, "output": 10}}',
    AI_CONTEXT_TOKENS: '1000',
    AI_THREAD_NAMES: 'on',
  },
  settings: { limits: { ...defaultGenerationLimits, firstEventMs: 1000 } },
}).extend('clean', { auto: true }, ({ service }) => {
  service.model.forget();
  service.model.requests.length = 0;
  service.model.respond(() => [text('It was not expected.')]);
  service.model.nameBy(() => [text('A name')]);
});

const modelOf = ({ body }: ModelRequest) => body.model;
const called = (service: TestService) => service.model.requests.map(modelOf);

/** What is stored of the response once it has ended. */
async function endOf(service: TestService, { messageId }: Sent) {
  const { response } = service.database;
  const row = () => response.findUniqueOrThrow({ where: { messageId } });
  await expect.poll(async () => (await row()).finishedAt, { timeout: 20_000 }).not.toBe(null);
  const { status, attempt, model, errorCode, errorMessage, retry } = await row();
  return { status, attempt, model, errorCode, errorMessage, retry };
}

const answeredBySecond = { status: 'succeeded', attempt: 1, model: 'compatible:second' };

it.for<[string, ModelScript]>([
  ['503', [httpError(503)]],
  ['429, for an hour', [httpError(429, { headers: { 'retry-after': '3600' } })]],
  ['a key that is wrong', [httpError(401, { message: 'Incorrect API key provided' })]],
  ['a connection that is closed', [openStream(), breakConnection({ reset: true })]],
  ['an answer that is empty', [finish()]],
  ['silence before the first token', [openStream(), hang()]],
])('the next model answers at once, in the same attempt after %s', async ([, fault], { service, ada }) => {
  service.model.enqueue(fault, [text('Hello')]);
  const sent = await ada.rest.createThread({ text: 'Hi' });
  expect(shown(await ada.rest.streamToEnd(sent))).toEqual([['token', 'Hello'], ['done']]);
  expect(called(service)).toEqual(['first', 'second']);
  // A wait would have been noted for the viewers.
  expect(await endOf(service, sent)).toMatchObject({ ...answeredBySecond, retry: null });
});

describe('the model that has answered', () => {
  it('is the one in the details, the usage, the log and the metrics', async ({ service }) => {
    const person = await newcomer(service);
    const before = await scrape(service.url);
    service.model.enqueue([httpError(503)], [text('Hello'), usage(1000, 100), finish()]);
    const sent = await person.rest.readyThread({ text: 'Hi' });
    const { message } = await person.graphql.data(
      `query ($threadId: ID!, $id: ID!) {
        message(threadId: $threadId, id: $id) { generation { model inputTokens outputTokens cost } } }`,
      { threadId: sent.threadId, id: sent.messageId },
    );
    const took = { model: 'compatible:second', inputTokens: 1000, outputTokens: 100, cost: 0.003 };
    expect(message.generation).toEqual(took);
    const rows = await service.database.usageDay.findMany({ where: { userId: person.id, responses: { gt: 0 } } });
    expect(rows.map(({ model, responses }) => [model, responses])).toEqual([['compatible:second', 1]]);
    const linesOf = () =>
      service.log.map((line) => JSON.parse(line)).filter((line) => line.messageId === sent.messageId);
    await expect.poll(() => linesOf().at(-1)).toMatchObject({ msg: 'response ended', inputTokens: 1000 });
    expect(linesOf()).toEqual([
      expect.objectContaining({
        msg: 'the model did not answer, and the next one is called',
        ...{ model: 'compatible:first', nextModel: 'compatible:second' },
        err: expect.objectContaining({ code: 'model_unavailable' }),
      }),
      expect.objectContaining({ msg: 'response ended', model: 'compatible:second', outcome: 'succeeded' }),
    ]);
    const name = 'skein_model_fallbacks_total';
    const after = await scrape(service.url);
    expect(after.sum(name, { code: 'model_unavailable' }) - before.sum(name, { code: 'model_unavailable' })).toBe(1);
  });

  it('also summarizes a conversation and names a thread in place of one that does not answer', async ({ service }) => {
    const person = await newcomer(service);
    service.model.nameBy(({ body }) => (body.model === 'first' ? [httpError(503)] : [text('Counting')]));
    const { threadId } = await person.rest.readyThread({ text: 'long '.repeat(1000) });
    const { thread, usageDay } = service.database;
    const title = async () => (await thread.findUniqueOrThrow({ where: { id: threadId } })).generatedName;
    await expect.poll(title, { timeout: 10_000 }).toBe('Counting');
    expect(service.model.namings.slice(-2).map(modelOf)).toEqual(['first', 'second']);
    service.model.requests.length = 0;
    const said = [text('They counted.'), usage(1000, 100), finish()];
    service.model.enqueue([httpError(503)], [httpError(503)], said, [text('three')]);
    await person.rest.answer(await person.rest.send(threadId, 'And then?'));
    const asked = service.model.requests.map((request) => {
      return [modelOf(request), request.body.messages.at(-1)?.content === summaryRequest];
    });
    expect(asked).toEqual([
      ['first', true],
      ['first', false],
      ['second', true],
      ['second', false],
    ]);
    const where = { userId: person.id, model: 'compatible:second' };
    expect((await usageDay.findFirstOrThrow({ where })).inputTokens).toBeGreaterThan(1000n);
  });
});

describe('no other model is called', () => {
  it.for<[string, ModelScript]>([
    ['text', [text('Hel'), breakConnection()]],
    ['thinking', [reasoning('Well'), breakConnection()]],
  ])('after %s that viewers have seen: the response starts over with the first', async ([, half], { service, ada }) => {
    service.model.enqueue(half, [text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    expect(await endOf(service, sent)).toMatchObject({ status: 'succeeded', attempt: 2, model: 'compatible:first' });
    expect(called(service)).toEqual(['first', 'first']);
  });

  it.for<[GenerationErrorCode, ModelScript]>([
    ['model_content_filtered', [finish('content_filter')]],
    ['model_context_exceeded', [httpError(400, { message: 'maximum context length is 4096 tokens' })]],
  ])('after %s', async ([errorCode, refusal], { service, ada }) => {
    service.model.enqueue(refusal);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const model = 'compatible:first';
    expect(await endOf(service, sent)).toMatchObject({ status: 'failed', errorCode, attempt: 1, model });
    expect(called(service)).toEqual(['first']);
  });

  it('in place of one that was chosen from AI_MODELS', async ({ service, graphql }) => {
    service.model.respond(({ body }) => [body.model === 'other' ? httpError(503) : text('Hello')]);
    const create =
      'mutation ($input: CreateThreadInput!) { createThread(input: $input) { ... on PostedMessage { threadId messageId } } }';
    const { createThread } = await graphql.data(create, { input: { text: 'Hi', model: 'compatible:other' } });
    expect(await endOf(service, createThread)).toMatchObject({ status: 'failed', model: 'compatible:other' });
    expect(new Set(called(service))).toEqual(new Set(['other']));
  });

  it.for(['first', 'second'])('once a stop has ended the call of the %s', async (silent, { service, graphql, ada }) => {
    service.model.respond(({ body }) => (body.model === silent ? [openStream(), hang()] : [httpError(503)]));
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await expect.poll(() => called(service).at(-1)).toBe(silent);
    const { closed } = service.model.lastRequest;
    await graphql.data('mutation ($id: ID!) { stopResponse(messageId: $id) { __typename } }', { id: sent.messageId });
    await closed;
    expect(await endOf(service, sent)).toMatchObject({ status: 'interrupted', model: `compatible:${silent}` });
    expect(called(service)).toEqual(silent === 'first' ? ['first'] : ['first', 'second']);
  });
});

describe('models of which none answers', () => {
  it('are called again, the first one first, as often as AI_CALLS_PER_RESPONSE allows', async ({ service, ada }) => {
    service.model.respond(() => [httpError(503)]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    expect(await endOf(service, sent)).toMatchObject({
      ...{ status: 'failed', attempt: 1, errorCode: 'model_unavailable' },
      errorMessage: 'None of the 2 AI models answered. The AI model is unavailable.',
      retry: { call: 2, maxCalls: 2 },
    });
    expect(called(service)).toEqual(['first', 'second', 'first', 'second']);
  });

  it('are not all called if no calls are left for them', async ({ service, ada }) => {
    const refused = [httpError(400, { message: 'first does not support tools' })];
    service.model.enqueue(refused, [httpError(503)], [httpError(503)], [httpError(503)]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const { errorMessage } = await endOf(service, sent);
    expect(errorMessage).toBe('The AI model is unavailable.');
    expect(called(service)).toEqual(['first', 'first', 'second', 'first']);
  });

  it('are called again if one of them may answer then', async ({ service, ada }) => {
    service.model.enqueue([httpError(503)], [httpError(401)], [text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    expect(await endOf(service, sent)).toMatchObject({ ...answeredBySecond, model: 'compatible:first' });
    expect(called(service)).toEqual(['first', 'second', 'first']);
  });

  const failed = (code: GenerationErrorCode, retryable: boolean, more: { wasReceived?: boolean } = {}) =>
    new GenerationError(code, `${code}.`, { retryable, retryAfterMs: 5, ...more });

  it.for<[string, GenerationError[], object]>([
    [
      'the first error that passes by itself',
      [failed('model_unauthorized', false), failed('model_empty_response', true), failed('model_rate_limited', true)],
      { code: 'model_rate_limited', retryable: true, retryAfterMs: 5 },
    ],
    [
      'one that no further call cures, where all are',
      [failed('model_unauthorized', false), failed('model_rejected_request', false)],
      { code: 'model_unauthorized', retryable: false },
    ],
    [
      'one of a call that was received, if any was',
      [failed('model_unavailable', true, { wasReceived: false }), failed('model_unauthorized', false)],
      { code: 'model_unavailable', wasReceived: true },
    ],
    [
      'the last one, if no other model may answer after it',
      [failed('model_unavailable', true), failed('model_content_filtered', false)],
      { code: 'model_content_filtered', message: 'model_content_filtered.' },
    ],
  ])('have failed with %s', ([, faults, expected]) => {
    expect(faultOfAll(faults)).toMatchObject(expected);
  });
});
