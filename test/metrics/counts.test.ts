/** What a process counts of its requests, operations and responses, and says of them in its log. No label holds what a caller chose. */
import { describe, expect, vi } from 'vitest';
import { collectEvents } from '../modules/viewing/collect-events.js';
import { it } from '../support/fixtures/service.js';
import { breakConnection, finish, gate, httpError, text, usage, wait } from '../support/model/model-script.js';
import { runSql } from '../support/server.js';
import type { TestService } from '../support/service.js';
import { type Scrape, scrape } from './scrape.js';

const requests = 'skein_request_duration_seconds_count';
const operations = 'skein_graphql_operation_duration_seconds_count';

/** Expects that a value grows by one with what `act` does. */
async function expectCounted(
  url: string,
  [name, labels]: [name: string, labels: Record<string, string>],
  act: () => Promise<unknown>,
): Promise<void> {
  const before = (await scrape(url)).sum(name, labels);
  await act();
  // A request is counted when its connection has sent all of it, which its caller may see first.
  await expect.poll(async () => (await scrape(url)).sum(name, labels) - before).toBe(1);
}

describe('skein_request_duration_seconds', () => {
  it('counts requests by method, pattern of the route, and status', async ({ service, ada }) => {
    const { threadId } = await ada.rest.createThread({ text: 'Hi' });
    const labels = { method: 'GET', route: '/api/v1/threads/{thread-id}' };
    await expectCounted(service.url, [requests, { ...labels, status: '200' }], () =>
      ada.rest.get(`/threads/${threadId}`),
    );
    await expectCounted(service.url, [requests, { ...labels, status: '404' }], () =>
      ada.rest.get('/threads/thr_unknown'),
    );
  });

  it.for<[string, string, string?]>([
    ['/graphql', '/graphql'],
    ['/graphql/stream', '/graphql/stream'],
    ['/attachments/att_secret', '/attachments/{id}'],
    ['/auth/methods', '/auth/methods'],
    ['/auth/unknown-secret', 'none'],
    ['/api/v1/openapi.json', '/api/v1/openapi.json'],
    ['/healthz', '/healthz'],
    ['/secret/path', 'none'],
    ['/secret/page', '/*', 'text/html'],
  ])('counts %s as %s', async ([path, route, accept = 'application/json'], { service }) => {
    await expectCounted(service.url, [requests, { method: 'GET', route }], () =>
      fetch(service.url + path, { headers: { accept } }),
    );
    expect((await scrape(service.url)).text).not.toContain('secret');
  });

  it('counts another method of a known path under its pattern, and an unusual method as "other"', async ({
    service,
  }) => {
    await expectCounted(
      service.url,
      [requests, { method: 'other', route: '/api/v1/threads/{thread-id}', status: '405' }],
      () => fetch(`${service.url}/api/v1/threads/thr_1`, { method: 'PROPFIND' }),
    );
  });
});

describe('skein_graphql_operation_duration_seconds', () => {
  const act: [string, string, string][] = [
    ['query', 'succeeded', '{ me { sub } }'],
    ['mutation', 'succeeded', 'mutation { createThread(input: {text: "Hi"}) { __typename } }'],
    ['query', 'refused', '{ threads(first: 0) { edges { cursor } } }'],
    ['invalid', 'refused', '{ nothing }'],
    ['invalid', 'refused', '{ me {'],
  ];
  it.for(act)('counts a %s that %s: %s', async ([kind, outcome, query], { service, graphql }) => {
    const labels = { kind, outcome };
    await expectCounted(service.url, [operations, labels], () => graphql.run(query));
  });

  it('counts the operations of REST', async ({ service, ada }) => {
    await expectCounted(service.url, [operations, { kind: 'query', outcome: 'succeeded' }], () => ada.rest.get('/me'));
  });
});

it('skein_open_streams is the number of streams that are open', async ({ service, ada }) => {
  const open = async () => (await scrape(service.url)).sum('skein_open_streams');
  await expect.poll(open).toBe(0);
  const going = gate();
  service.model.enqueue([text('Hel'), wait(going.passed), text('lo')]);
  const stream = await ada.rest.stream(await ada.rest.createThread({ text: 'Hi' }));
  await stream.next();
  expect(await open()).toBe(1);
  going.open();
  await collectEvents(stream);
  await expect.poll(open).toBe(0);
});

const patience = { timeout: 10_000 };

/** Waits until a value has grown so much since `before`. */
async function grows(
  url: string,
  before: Scrape,
  [name, labels, by]: readonly [string, Record<string, string>, number],
) {
  await vi.waitFor(async () => {
    const growth = (await scrape(url)).sum(name, labels) - before.sum(name, labels);
    expect(growth, `${name} ${JSON.stringify(labels)}`).toBe(by);
  }, patience);
}

describe('a response that succeeds', () => {
  it('counts in the metrics of the queue, the model and its tokens', async ({ service, ada }) => {
    const before = await scrape(service.url);
    service.model.enqueue([text('Hello'), usage(70, 7), finish()]);
    await ada.rest.answer(await ada.rest.createThread({ text: 'Hi' }));
    for (const growth of [
      ['skein_response_queue_seconds_count', {}, 1],
      ['skein_time_to_first_token_seconds_count', {}, 1],
      ['skein_model_latency_seconds_count', {}, 1],
      ['skein_model_call_duration_seconds_count', { outcome: 'succeeded' }, 1],
      ['skein_response_duration_seconds_count', { outcome: 'succeeded' }, 1],
      ['skein_model_tokens_total', { direction: 'input' }, 70],
      ['skein_model_tokens_total', { direction: 'output' }, 7],
      ['skein_model_retries_total', {}, 0],
    ] as const)
      await grows(service.url, before, growth);
  });

  it('adds no counts to the tokens that no model can have taken', async ({ service, ada }) => {
    const before = await scrape(service.url);
    service.model.enqueue([text('Hello'), usage(1e300, -7), finish()], [text('Hello'), usage(1.5, 3), finish()]);
    for (const name of ['A', 'B']) await ada.rest.answer(await ada.rest.createThread({ text: 'Hi', name }));
    await grows(service.url, before, ['skein_model_tokens_total', { direction: 'output' }, 3]);
    await grows(service.url, before, ['skein_model_tokens_total', { direction: 'input' }, 0]);
    expect(service.log.join('')).not.toMatch(/"inputTokens":(1e|1\.5)|"outputTokens":-7/);
  });

  it('has waited in the queue, and says its first token, at times that were measured', async ({ service, ada }) => {
    const said = gate();
    service.model.enqueue([wait(said.passed), text('Hello')]);
    const before = await scrape(service.url);
    const begunMs = performance.now();
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await grows(service.url, before, ['skein_response_queue_seconds_count', {}, 1]);
    await grows(service.url, before, ['skein_time_to_first_token_seconds_count', {}, 0]);
    said.open();
    await ada.rest.answer(sent);
    await grows(service.url, before, ['skein_time_to_first_token_seconds_count', {}, 1]);
    const sum = (metrics: Scrape) => metrics.sum('skein_time_to_first_token_seconds_sum');
    const grown = sum(await scrape(service.url)) - sum(before);
    expect(grown).toBeGreaterThan(0);
    expect(grown).toBeLessThanOrEqual((performance.now() - begunMs) / 1000);
  });
});

describe('a model that fails', () => {
  it('counts each call that failed, and is asked again', async ({ service, ada }) => {
    const before = await scrape(service.url);
    service.model.enqueue([httpError(503)], [text('Hello')]);
    await ada.rest.answer(await ada.rest.createThread({ text: 'Hi' }));
    for (const growth of [
      ['skein_model_call_duration_seconds_count', { outcome: 'model_unavailable' }, 1],
      ['skein_model_call_duration_seconds_count', { outcome: 'succeeded' }, 1],
      ['skein_model_retries_total', { code: 'model_unavailable' }, 1],
      ['skein_response_duration_seconds_count', { outcome: 'succeeded' }, 1],
    ] as const)
      await grows(service.url, before, growth);
  });

  it('counts a response that failed', async ({ service, ada }) => {
    const before = await scrape(service.url);
    service.model.enqueue([httpError(401)]);
    await ada.rest.streamToEnd(await ada.rest.createThread({ text: 'Hi' }));
    await grows(service.url, before, ['skein_response_duration_seconds_count', { outcome: 'failed' }, 1]);
    await grows(service.url, before, ['skein_model_call_duration_seconds_count', { outcome: 'model_unauthorized' }, 1]);
  });
});

describe('skein_queued_responses and skein_oldest_queued_response_seconds', () => {
  it('tell how many responses wait for a worker, and for how long', async ({ idle }) => {
    const carol = await idle.person();
    for (const words of ['One', 'Two']) await carol.rest.createThread({ text: words });
    await runSql(idle.storage.url, "UPDATE response SET created_at = created_at - interval '1 hour'");
    const metrics = await scrape(idle.url);
    expect(metrics.sum('skein_queued_responses')).toBe(2);
    expect(metrics.sum('skein_oldest_queued_response_seconds')).toBeGreaterThan(3_599);
    expect(metrics.sum('skein_oldest_unfinished_response_seconds')).toBeGreaterThan(3_599);
  });
});

it('skein_takeovers_total counts responses that were reclaimed from a lost worker', async ({ service, ada }) => {
  const going = gate();
  service.model.enqueue([text('Hel'), wait(going.passed)]);
  const sent = await ada.rest.createThread({ text: 'Hi' });
  const stream = await ada.rest.stream(sent);
  await stream.next();
  const before = await scrape(service.url);
  service.model.enqueue([text('Hello')]);
  // The worker that has it is lost at once, as if it had been another node's.
  await service.sql(`WITH taken AS (UPDATE thread SET epoch = epoch + 1 WHERE id = '${sent.threadId}' RETURNING epoch)
       UPDATE response SET epoch = taken.epoch, worker_id = 'lost', lease_until = clock_timestamp() - interval '1 second'
       FROM taken WHERE message_id = '${sent.messageId}'`);
  await grows(service.url, before, ['skein_takeovers_total', {}, 1]);
  await grows(service.url, before, ['skein_response_duration_seconds_count', { outcome: 'abandoned' }, 1]);
  going.open();
  await ada.rest.answer(sent);
});

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
    const { messageId } = await ada.rest.readyThread({ text: 'Hi' });
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
    await ada.rest.streamToEnd(sent);
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
    await ada.rest.streamToEnd(sent);
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
    await ada.rest.streamToEnd({ messageId, threadId });
    expect(await lineOf(service, 'response ended', { messageId })).toMatchObject({ outcome: 'failed' });
    const lines = service.log.map((line) => JSON.parse(line)).filter((line) => line.messageId === messageId);
    expect(lines.map((line) => line.msg)).toEqual([repeated, repeated, 'the model call failed', 'response ended']);
  });

  it('leaves out an id that looks like something else', async ({ service, ada }) => {
    service.model.enqueue([httpError(401, { headers: { 'x-request-id': 'a secret of the user' } })]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await ada.rest.streamToEnd(sent);
    const line = await lineOf(service, 'response ended', { messageId: sent.messageId });
    expect(Object.keys(line)).not.toContain('providerRequestId');
  });
});
