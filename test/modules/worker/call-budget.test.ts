/** How often the model is called for one response, whatever goes wrong: each call may cost money. */
import { describe, expect } from 'vitest';
import { summaryRequest } from '../../../src/assistant/summary-texts.js';
import { defaultRetrySettings } from '../../../src/modules/responses/generation/retry.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { httpError, type ModelScript, text } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { rowOf } from '../viewing/response-facts.js';

const usual = serviceTest();
const single = serviceTest({ settings: { retry: { ...defaultRetrySettings, maxCalls: 1 } } });

const tooLong = httpError(400, {
  message: "This model's maximum context length is 4096 tokens, however you requested 5000 tokens",
  code: 'context_length_exceeded',
});

/** A message in a thread in which two others were answered; then the model says `answers`. */
async function goOn(service: TestService, ada: Person, answers: readonly ModelScript[]): Promise<Sent> {
  const { threadId } = await ada.rest.readyThread({ text: 'one' });
  await ada.rest.answer(await ada.rest.send(threadId, 'two'));
  service.model.requests.length = 0;
  service.model.enqueue(...answers);
  return ada.rest.send(threadId, 'Go on');
}

const prompts = (service: TestService) =>
  service.model.requests.map(({ body }) => body.messages.slice(1).map(({ content }) => String(content)));

describe('a conversation that is too long for the model', () => {
  usual('is summarized and asked once more', async ({ service, ada }) => {
    const sent = await goOn(service, ada, [[tooLong], [text('They counted.')], [text('three')]]);
    const [message] = await ada.rest.answer(sent);
    expect(message?.contents).toEqual([{ type: 'text', text: 'three' }]);
    const [first, summarized, second] = prompts(service);
    expect(prompts(service)).toHaveLength(3);
    expect(first?.at(-1)).toBe('Go on');
    expect(summarized?.at(-1)).toBe(summaryRequest);
    expect(second).toEqual(['Summary of the conversation so far:\n\nThey counted.\n\nGo on']);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  usual('is model_context_exceeded if it is too long with its summary too', async ({ service, ada }) => {
    const answers = [[tooLong], [text('They counted.')], [tooLong], [text('never')]];
    const sent = await goOn(service, ada, answers);
    await ada.rest.streamToEnd(sent);
    expect(prompts(service)).toHaveLength(3);
    service.model.forget();
    expect(await rowOf(service, sent)).toMatchObject({ status: 'failed', errorCode: 'model_context_exceeded' });
  });
});

// That 4, the default, allows four calls, and three attempts that people see, is in `test/assistant/model-manners.test.ts`.
describe('AI_CALLS_PER_RESPONSE', () => {
  single('of 1 allows no second call', async ({ service, ada }) => {
    service.model.enqueue([httpError(503)]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await ada.rest.streamToEnd(sent);
    expect(service.model.requests).toHaveLength(1);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'failed', errorCode: 'model_unavailable' });
  });
});
