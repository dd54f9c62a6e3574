/** What becomes of a response whose model fails, falls silent or takes too long, and how often the model is called for it. */
import { describe, expect } from 'vitest';
import { summaryRequest } from '../../../src/assistant/summary-texts.js';
import { defaultGenerationLimits } from '../../../src/modules/responses/generation/limits.js';
import { defaultRetrySettings } from '../../../src/modules/responses/generation/retry.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { joinTokens, type ReceivedEvent } from '../../support/clients/sse.js';
import { serviceTest } from '../../support/fixtures/service.js';
import {
  breakConnection,
  errorFrame,
  gate,
  hang,
  httpError,
  type ModelScript,
  openStream,
  reasoning,
  text,
  usage,
  wait,
} from '../../support/model/model-script.js';
import type { ModelRequest } from '../../support/model/model-server.js';
import type { Person, TestService } from '../../support/service.js';
import { collectEvents } from '../viewing/collect-events.js';
import { pollOf, rowOf, shown, stateOf, textsOf } from '../viewing/response-facts.js';

const lease = { leaseMs: 5000, heartbeatMs: 500, pollMs: 200, maxAttempts: 3, deadlineMs: 60_000 };
const it = serviceTest({ settings: { limits: { ...defaultGenerationLimits, maxTextBytes: 1000 } } });
const single = serviceTest({ settings: { retry: { ...defaultRetrySettings, maxCalls: 1 } } });
const impatient = serviceTest({
  settings: { limits: { ...defaultGenerationLimits, firstEventMs: 300, silenceMs: 1500 }, lease },
});
const limited = serviceTest({
  environment: { AI_MODEL: 'compatible:scripted, compatible:second' },
  settings: { lease: { ...lease, deadlineMs: 2000 } },
});

/** A response for which the model plays these scripts, one a request, and how many requests that took. */
async function respond(service: TestService, ada: Person, ...scripts: ModelScript[]) {
  const before = service.model.requests.length;
  service.model.enqueue(...scripts);
  const sent = await ada.rest.createThread({ text: 'Hi' });
  const events = await ada.rest.streamToEnd(sent);
  return { sent, events: shown(events), requests: service.model.requests.length - before };
}

// Which faults are tried again, and which end the response at once: `test/assistant/model-manners.test.ts`.
describe('worker › a transient fault before the first token', () => {
  it('is retried unnoticed', async ({ service, ada }) => {
    const faults = [[httpError(429, { headers: { 'retry-after': '1' } })], [openStream(), breakConnection()]];
    const { sent, events, requests } = await respond(service, ada, ...faults, [text('Hello'), usage(7, 2)]);
    expect(events).toEqual([['token', 'Hello'], ['done']]);
    expect(requests).toBe(3);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'succeeded', attempt: 1, inputTokens: 7 });
  });

  it('is final when all tries are used up: the thread is in error, with no response', async ({ service, ada }) => {
    const faults = Array.from({ length: 4 }, () => [httpError(503)]);
    const { sent, events, requests } = await respond(service, ada, ...faults);
    expect(events).toEqual([['error', 'The AI model is unavailable.']]);
    expect(requests).toBe(4);
    expect(await stateOf(ada.rest, sent)).toBe('error');
    expect(await pollOf(ada.rest, sent)).toEqual([404, 'response_failed']);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'failed', errorCode: 'model_unavailable' });
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi']);
    expect((await ada.rest.post(`/threads/${sent.threadId}/messages`, { text: 'And now?' })).status).toBe(409);
  });
});

const startsOver = 'The text so far is void, and the response starts over. Drop that text and open the stream again.';
const behind = (event: ReceivedEvent | undefined) => ({ headers: { 'last-event-id': event?.id ?? '' } });

describe('worker › a fault in the middle of the text', () => {
  it('tells its viewers to reconnect, and shows new streams the new attempt alone', async ({ service, ada }) => {
    const [breaks, goesOn] = [gate(), gate()];
    service.model.enqueue(
      [text('Hel'), wait(breaks.passed), breakConnection()],
      [text('Good'), wait(goesOn.passed), text(' day')],
    );
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const viewers = await Promise.all([ada.rest.stream(sent), ada.rest.stream(sent)]);
    const firsts = await Promise.all(viewers.map((viewer) => viewer.next()));
    breaks.open();
    const ends = await Promise.all(viewers.map(collectEvents));
    for (const events of ends) expect(shown(events)).toEqual([['error', startsOver]]);
    const fresh = await ada.rest.stream(sent);
    const returned = await ada.rest.stream(sent, behind(ends[0]?.[0]));
    expect((await fresh.next()).value?.data).toEqual({ token: 'Good' });
    expect(shown(await ada.rest.streamToEnd(sent, behind(firsts[0]?.value)))).toEqual([['error', startsOver]]);
    expect(await stateOf(ada.rest, sent)).toBe('active');
    expect(await pollOf(ada.rest, sent)).toEqual([202, undefined]);
    goesOn.open();
    expect(joinTokens(await collectEvents(fresh))).toBe(' day');
    expect(joinTokens(await collectEvents(returned))).toBe('Good day');
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: Good day']);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'succeeded', attempt: 2, epoch: 2 });
  });

  it('is invisible in REST if only thinking came before it', async ({ service, ada }) => {
    const breaks = gate();
    service.model.enqueue([reasoning('Hmm'), wait(breaks.passed), breakConnection()], [text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const viewer = await ada.rest.stream(sent);
    breaks.open();
    expect(shown(await collectEvents(viewer))).toEqual([['token', 'Hello'], ['done']]);
    expect(await rowOf(service, sent)).toMatchObject({ attempt: 2 });
  });

  it('is final the third time: the thread is in error, and the last text stays readable', async ({ service, ada }) => {
    const gates = [gate(), gate(), gate()];
    const words = ['one', 'two', 'three'];
    service.model.enqueue(
      ...words.map((word, index) => [text(word), wait(gates[index]?.passed ?? Promise.resolve()), breakConnection()]),
    );
    const sent = await ada.rest.createThread({ text: 'Hi' });
    for (const [index, word] of words.entries()) {
      const viewer = await ada.rest.stream(sent);
      expect((await viewer.next()).value?.data).toEqual({ token: word });
      gates[index]?.open();
      const lost = 'The connection to the AI model was lost.';
      expect(shown(await collectEvents(viewer))).toEqual([['error', index < 2 ? startsOver : lost]]);
    }
    expect(await stateOf(ada.rest, sent)).toBe('error');
    expect(await pollOf(ada.rest, sent)).toEqual([404, 'response_failed']);
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: three']);
    const errorCode = 'model_connection_lost';
    expect(await rowOf(service, sent)).toMatchObject({ status: 'failed', attempt: 3, errorCode });
  });
});

describe('worker › an answer that is too large', () => {
  it('ends the response at once, keeps the text from before, and closes the connection', async ({ service, ada }) => {
    const script = [text('x'.repeat(900)), text('y'.repeat(200)), hang()];
    const { sent, events, requests } = await respond(service, ada, script);
    expect(events.at(-1)).toEqual(['error', 'The response of the AI model is too large.']);
    expect(requests).toBe(1);
    await service.model.lastRequest.closed;
    const errorCode = 'model_output_too_large';
    expect(await rowOf(service, sent)).toMatchObject({ status: 'failed', attempt: 1, errorCode });
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', `assistant: ${'x'.repeat(900)}`]);
  });
});

describe('worker › the error message of a provider', () => {
  it('reaches neither a caller nor the log, which names the kind of the fault', async ({ service, ada }) => {
    const secret = 'sk-live-12345 at 10.0.0.7';
    const { sent } = await respond(service, ada, [text('Well'), errorFrame({ message: secret, code: 401 })]);
    const { sent: refused } = await respond(service, ada, [httpError(401, { message: secret })]);
    for (const { threadId, messageId } of [sent, refused]) {
      const message = `/threads/${threadId}/messages/${messageId}`;
      const paths = [`/threads/${threadId}`, `/threads/${threadId}/messages`, `${message}/response`];
      const replies = await Promise.all([...paths, `${message}/response/stream`].map((path) => ada.rest.fetch(path)));
      for (const reply of replies) expect(await reply.text()).not.toContain('12345');
    }
    const rows = await service.database.$queryRaw<{ text: string }[]>`SELECT r::text AS text FROM response r`;
    expect(rows.filter((row) => row.text.includes('12345'))).toEqual([]);
    const log = service.log.join('');
    expect(log).not.toContain('12345');
    expect(log).toMatch(/"code":"model_unauthorized".*"statusCode":401/);
  });
});

describe('worker › the token counts of a provider', () => {
  it.for([
    [7, 2, 7, 2],
    [1.5, 1e12, null, null],
    [-1, 2 ** 31 - 1, null, 2 ** 31 - 1],
  ] as const)(
    'of %d and %d are stored as %j and %j, and the answer in any case',
    async ([input, output, inputTokens, outputTokens], { service, ada }) => {
      const { sent, events } = await respond(service, ada, [text('Hello'), usage(input, output)]);
      expect(events).toEqual([['token', 'Hello'], ['done']]);
      expect(await rowOf(service, sent)).toMatchObject({ status: 'succeeded', inputTokens, outputTokens });
    },
  );
});

describe('worker › a model that falls silent', () => {
  impatient.for<[string, ModelScript]>([
    ['before its headers', [hang()]],
    ['before its first token', [openStream(), hang()]],
  ])('is asked again unseen: %s', async ([, silence], { service, ada }) => {
    const before = service.model.requests.length;
    service.model.enqueue(silence);
    // Also where a busy machine lets an answer come too late.
    service.model.respond(() => [text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    expect(shown(await ada.rest.streamToEnd(sent))).toEqual([['token', 'Hello'], ['done']]);
    await service.model.requests[before]?.closed;
    expect(await rowOf(service, sent)).toMatchObject({ attempt: 1 });
  });

  impatient('is disconnected, and the response starts over if it had begun', async ({ service, ada }) => {
    let silent: ModelRequest | undefined;
    service.model.respond(() => (silent ? [text('Hello')] : [text('Hel'), hang()]));
    const sent = await ada.rest.createThread({ text: 'Hi' });
    for await (const { event } of await ada.rest.stream(sent)) {
      if (event === 'token') silent = service.model.lastRequest;
    }
    await silent?.closed;
    expect(shown(await ada.rest.streamToEnd(sent))).toEqual([['token', 'Hello'], ['done']]);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'succeeded', attempt: 2 });
  });
});

describe('worker › a response that takes too long', () => {
  limited('fails at its deadline, keeps its text, and disconnects from the model', async ({ service, ada }) => {
    const { sent, events } = await respond(service, ada, [text('So far'), hang()]);
    expect(events).toEqual([
      ['token', 'So far'],
      ['error', 'The AI model did not finish its answer in time.'],
    ]);
    await service.model.lastRequest.closed;
    expect(await stateOf(ada.rest, sent)).toBe('error');
    expect(await rowOf(service, sent)).toMatchObject({ status: 'failed', attempt: 1, errorCode: 'model_timeout' });
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: So far']);
  });

  limited('is not given to another model then', async ({ service, ada }) => {
    service.model.requests.length = 0;
    service.model.respond(({ body }) => (body.model === 'second' ? [text('Too late')] : [hang()]));
    const { sent } = await respond(service, ada);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'failed', errorCode: 'model_timeout' });
    expect(service.model.requests.map(({ body }) => body.model)).not.toContain('second');
  });
});

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

describe('worker › a conversation that is too long for the model', () => {
  it('is summarized and asked once more', async ({ service, ada }) => {
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

  it('is model_context_exceeded if it is too long with its summary too', async ({ service, ada }) => {
    const answers = [[tooLong], [text('They counted.')], [tooLong], [text('never')]];
    const sent = await goOn(service, ada, answers);
    await ada.rest.streamToEnd(sent);
    expect(prompts(service)).toHaveLength(3);
    service.model.forget();
    expect(await rowOf(service, sent)).toMatchObject({ status: 'failed', errorCode: 'model_context_exceeded' });
  });
});

// That 4, the default, allows four calls, and three attempts that people see, is in `test/assistant/model-manners.test.ts`.
single('AI_CALLS_PER_RESPONSE of 1 allows no second call', async ({ service, ada }) => {
  const { sent, requests } = await respond(service, ada, [httpError(503)]);
  expect(requests).toBe(1);
  expect(await rowOf(service, sent)).toMatchObject({ status: 'failed', errorCode: 'model_unavailable' });
});
