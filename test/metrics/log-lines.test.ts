/** What the lines of the log say about a request and a response. That they never say more is in `log-privacy.test.ts`. */
import { describe, expect, vi } from 'vitest';
import { collectEvents } from '../modules/viewing/collect-events.js';
import { it } from '../support/fixtures/service.js';
import { breakConnection, finish, httpError, text, usage } from '../support/model/model-script.js';
import type { TestService } from '../support/service.js';

type Line = Record<string, unknown>;

const repeated = 'the model call failed and is repeated';

/** The last line with this message and these fields; it may come after the answer. */
function lineOf({ log }: TestService, msg: string, fields: Line): Promise<Line> {
  return vi.waitFor(
    () => {
      const lines = log.map((line) => JSON.parse(line) as Line).filter((line) => line['msg'] === msg);
      const found = lines.findLast((line) => Object.entries(fields).every(([name, value]) => line[name] === value));
      return found ?? expect.fail(`no line "${msg}" with ${JSON.stringify(fields)}`);
    },
    { timeout: 10_000 },
  );
}

describe('the line of a request', () => {
  it('names the user, the organization and the pattern of the route', async ({ service, ada }) => {
    await ada.rest.get('/threads/thr_unknown');
    const { organizationId } = await service.viewerOf(ada);
    const line = await lineOf(service, 'request', { path: '/api/v1/threads/thr_unknown' });
    expect(line).toMatchObject({
      route: '/api/v1/threads/{thread-id}',
      user: ada.id,
      organization: organizationId,
      status: 404,
      level: 30,
    });
  });

  it('names the GraphQL operation', async ({ service, graphql }) => {
    await graphql.run('query WhoAmI { me { sub } }');
    expect(await lineOf(service, 'request', { operation: 'WhoAmI' })).toMatchObject({ route: '/graphql' });
  });

  it('names nobody if the caller is unknown', async ({ service }) => {
    await service.client().get('/threads/thr_nobody');
    const line = await lineOf(service, 'request', { path: '/api/v1/threads/thr_nobody' });
    expect(Object.keys(line)).not.toContain('user');
    expect(line).toMatchObject({ status: 401 });
  });

  it.for(['/healthz', '/readyz', '/metrics'])('is at the level debug for %s', async (path, { service }) => {
    await fetch(service.url + path);
    expect(await lineOf(service, 'request', { path })).toMatchObject({ level: 20 });
  });
});

describe('the line of a response that ended', () => {
  it("says how long it took, with which model and tokens, and the provider's id of the call", async ({
    service,
    ada,
  }) => {
    service.model.enqueue([text('Hello'), usage(70, 7), finish()]);
    const { messageId, ...sent } = await ada.rest.createThread({ text: 'Hi' });
    await ada.rest.answer({ messageId, ...sent });
    expect(await lineOf(service, 'response ended', { messageId })).toMatchObject({
      outcome: 'succeeded',
      durationMs: expect.any(Number),
      model: 'compatible:scripted',
      inputTokens: 70,
      outputTokens: 7,
      providerRequestId: expect.stringMatching(/^req-/),
    });
  });

  it('is followed by one line for each call that failed, with its code and its id', async ({ service, ada }) => {
    service.model.enqueue([httpError(401, { headers: { 'x-request-id': 'req-refused' } })]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await collectEvents(await ada.rest.stream(sent));
    const fields = { messageId: sent.messageId, providerRequestId: 'req-refused' };
    expect(await lineOf(service, 'the model call failed', fields)).toMatchObject({
      tries: 0,
      err: { code: 'model_unauthorized' },
      level: 50,
      action: 'Check AI_API_KEY, and that this key may use the model.',
    });
    expect(await lineOf(service, 'response ended', fields)).toMatchObject({ outcome: 'failed', inputTokens: null });
  });

  it('is followed by what to do where the server knows no such model', async ({ service, ada }) => {
    service.model.enqueue([httpError(404)]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await collectEvents(await ada.rest.stream(sent));
    expect(await lineOf(service, 'the model call failed', { messageId: sent.messageId })).toMatchObject({
      err: { code: 'model_rejected_request' },
      level: 40,
      action: expect.stringContaining('Check the name of the model in AI_MODEL'),
    });
  });

  it('has one line before it for each call that is repeated, which says when and why', async ({ service, ada }) => {
    service.model.enqueue([httpError(503)], [httpError(429)], [text('Hel'), breakConnection()], [text('Hello')]);
    const { messageId, threadId } = await ada.rest.createThread({ text: 'Hi' });
    await ada.rest.streamToEnd({ messageId, threadId });
    await lineOf(service, 'response ended', { messageId, outcome: 'succeeded' });
    const lines = service.log.map((line) => JSON.parse(line)).filter((line) => line.messageId === messageId);
    const soon = expect.any(Number);
    expect(lines.filter((line) => /model/.test(line.msg))).toMatchObject([
      { msg: repeated, err: { code: 'model_unavailable' }, nextTry: 2, maxTries: 4, retryInMs: soon, attempt: 1 },
      { msg: repeated, err: { code: 'model_rate_limited' }, nextTry: 3, maxTries: 4, retryInMs: soon, attempt: 1 },
      { msg: repeated, err: { code: 'model_connection_lost' }, nextTry: 2, maxTries: 2, retryInMs: soon, attempt: 1 },
    ]);
  });

  it('does not say that a call is repeated after the last one', async ({ service, ada }) => {
    for (let attempts = 0; attempts < 3; attempts += 1) service.model.enqueue([text('Hel'), breakConnection()]);
    const { messageId, threadId } = await ada.rest.createThread({ text: 'Hi' });
    await collectEvents(await ada.rest.stream({ messageId, threadId }));
    expect(await lineOf(service, 'response ended', { messageId })).toMatchObject({ outcome: 'failed' });
    const lines = service.log.map((line) => JSON.parse(line)).filter((line) => line.messageId === messageId);
    expect(lines.map((line) => line.msg)).toEqual([repeated, repeated, 'the model call failed', 'response ended']);
  });

  it('leaves out an id that looks like something else', async ({ service, ada }) => {
    service.model.enqueue([httpError(401, { headers: { 'x-request-id': 'a secret of the user' } })]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await collectEvents(await ada.rest.stream(sent));
    const line = await lineOf(service, 'response ended', { messageId: sent.messageId });
    expect(Object.keys(line)).not.toContain('providerRequestId');
  });
});
