import { describe, expect } from 'vitest';
import { defaultGenerationLimits } from '../../../src/modules/responses/generation/limits.js';
import { serviceTest } from '../../support/fixtures/service.js';
import {
  breakConnection,
  errorFrame,
  hang,
  httpError,
  type ModelScript,
  openStream,
  text,
  usage,
} from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { pollOf, rowOf, shown, stateOf, textsOf } from '../viewing/response-facts.js';

const it = serviceTest({ settings: { limits: { ...defaultGenerationLimits, maxTextBytes: 1000 } } });

/** A response for which the model plays these scripts, one a request, and how many requests that took. */
async function respond(service: TestService, ada: Person, ...scripts: ModelScript[]) {
  const before = service.model.requests.length;
  service.model.enqueue(...scripts);
  const sent = await ada.rest.createThread({ text: 'Hi' });
  const events = await ada.rest.streamToEnd(sent);
  return { sent, events: shown(events), requests: service.model.requests.length - before };
}

describe('worker › a transient fault before the first token', () => {
  const cases: [string, ModelScript][] = [
    ['429 with Retry-After', [httpError(429, { headers: { 'retry-after': '1' } })]],
    ['503 with a body that is no JSON', [httpError(503, { body: '<html>down</html>' })]],
    ['a reset connection', [breakConnection({ reset: true })]],
    ['a connection that breaks after the headers', [openStream(), breakConnection()]],
    ['an error inside the stream', [openStream(), errorFrame({ message: 'overloaded', type: 'server_error' })]],
  ];

  it.for(cases)('is retried unnoticed: %s', async ([_name, fault], { service, ada }) => {
    const { sent, events, requests } = await respond(service, ada, fault, fault, [text('Hello'), usage(7, 2)]);
    expect(events).toEqual([['token', 'Hello'], ['done']]);
    expect(requests).toBe(3);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'succeeded', attempt: 1, inputTokens: 7 });
  });

  it('is final when all tries are used up: the thread is in error, with no response', async ({ service, ada }) => {
    const { sent, events, requests } = await respond(
      service,
      ada,
      ...Array.from({ length: 4 }, () => [httpError(503)]),
    );
    expect(events).toEqual([['error', 'The AI model is unavailable.']]);
    expect(requests).toBe(4);
    expect(await stateOf(ada.rest, sent)).toBe('error');
    expect(await pollOf(ada.rest, sent)).toEqual([404, 'response_failed']);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'failed', errorCode: 'model_unavailable' });
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi']);
    expect((await ada.rest.post(`/threads/${sent.threadId}/messages`, { text: 'And now?' })).status).toBe(409);
  });
});

// What fails each time ends the response at once as well: `test/assistant/model-manners.test.ts`.
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
