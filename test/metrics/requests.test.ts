/** What a process counts of its requests and operations. No label holds what a caller chose. */
import { describe, expect, vi } from 'vitest';
import { collectEvents } from '../modules/viewing/collect-events.js';
import { it } from '../support/fixtures/service.js';
import { gate, text, wait } from '../support/model/model-script.js';
import { scrape } from './scrape.js';

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
  await vi.waitFor(async () => expect((await scrape(url)).sum(name, labels) - before).toBe(1), { timeout: 5000 });
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
  const going = gate();
  service.model.enqueue([text('Hel'), wait(going.passed), text('lo')]);
  const stream = await ada.rest.stream(await ada.rest.createThread({ text: 'Hi' }));
  await stream.next();
  expect((await scrape(service.url)).sum('skein_open_streams')).toBe(1);
  going.open();
  await collectEvents(stream);
  await vi.waitFor(async () => expect((await scrape(service.url)).sum('skein_open_streams')).toBe(0), {
    timeout: 20_000,
  });
});
