import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultGenerationLimits } from '../../../src/modules/responses/generation/limits.js';
import { hang, openStream, text } from '../../support/model/model-script.js';
import type { ModelRequest } from '../../support/model/model-server.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { rowOf, shown, stateOf, textsOf } from '../viewing/response-facts.js';

const lease = { leaseMs: 5000, heartbeatMs: 500, pollMs: 200, maxAttempts: 3, deadlineMs: 60_000 };

describe('worker › a model that falls silent', () => {
  let service: TestService;
  let ada: Person;
  beforeAll(async () => {
    const limits = { ...defaultGenerationLimits, firstEventMs: 300, silenceMs: 1500 };
    service = await startTestService({ settings: { limits, lease } });
    ada = await service.person();
  });
  afterAll(() => service.stop());

  it.each([
    ['before its headers', [hang()]],
    ['before its first token', [openStream(), hang()]],
  ])('is asked again unseen: %s', async (_name, silence) => {
    const before = service.model.requests.length;
    service.model.enqueue(silence);
    // Also where a busy machine lets an answer come too late.
    service.model.respond(() => [text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    expect(shown(await ada.rest.streamToEnd(sent))).toEqual([['token', 'Hello'], ['done']]);
    await service.model.requests[before]?.closed;
    expect(await rowOf(service, sent)).toMatchObject({ attempt: 1 });
  });

  it('is disconnected, and the response starts over if it had begun', async () => {
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
  let service: TestService;
  let ada: Person;
  beforeAll(async () => {
    const environment = { AI_MODEL: 'compatible:scripted, compatible:second' };
    service = await startTestService({ environment, settings: { lease: { ...lease, deadlineMs: 2000 } } });
    ada = await service.person();
  });
  afterAll(() => service.stop());

  it('fails at its deadline, keeps its text, and disconnects from the model', async () => {
    service.model.enqueue([text('So far'), hang()]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    expect(shown(await ada.rest.streamToEnd(sent))).toEqual([
      ['token', 'So far'],
      ['error', 'The AI model did not finish its answer in time.'],
    ]);
    await service.model.lastRequest.closed;
    expect(await stateOf(ada.rest, sent)).toBe('error');
    expect(await rowOf(service, sent)).toMatchObject({ status: 'failed', attempt: 1, errorCode: 'model_timeout' });
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: So far']);
  });

  it('is not given to another model then', async () => {
    service.model.requests.length = 0;
    service.model.respond(({ body }) => (body.model === 'second' ? [text('Too late')] : [hang()]));
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await ada.rest.streamToEnd(sent);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'failed', errorCode: 'model_timeout' });
    expect(service.model.requests.map(({ body }) => body.model)).not.toContain('second');
  });
});
