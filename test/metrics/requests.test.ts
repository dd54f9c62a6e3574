/** What a process counts of its requests and operations. No label holds what a caller chose. */
import { describe, expect, vi } from 'vitest';
import { collectEvents } from '../modules/viewing/collect-events.js';
import { serviceTest } from '../support/fixtures/service.js';
import { gate, text, wait } from '../support/model/model-script.js';
import { type Scrape, scrape } from './scrape.js';

const it = serviceTest();

const requests = 'skein_request_duration_seconds_count';
const operations = 'skein_graphql_operation_duration_seconds_count';

/** The growth of a value by what `act` does. */
async function growth(url: string, read: (metrics: Scrape) => number, act: () => Promise<unknown>) {
  const before = read(await scrape(url));
  await act();
  return {
    /** A request is counted when its connection has sent all of it, which its caller may see first. */
    is: (expected: number) =>
      vi.waitFor(async () => expect(read(await scrape(url)) - before).toBe(expected), { timeout: 5000 }),
  };
}

describe('skein_request_duration_seconds', () => {
  it('counts requests by method, pattern of the route, and status', async ({ service, ada }) => {
    const { threadId } = await ada.rest.createThread({ text: 'Hi' });
    const labels = { method: 'GET', route: '/api/v1/threads/{thread-id}' };
    const found = await growth(
      service.url,
      (metrics) => metrics.sum(requests, { ...labels, status: '200' }),
      () => ada.rest.get(`/threads/${threadId}`),
    );
    await found.is(1);
    const missing = await growth(
      service.url,
      (metrics) => metrics.sum(requests, { ...labels, status: '404' }),
      () => ada.rest.get('/threads/thr_unknown'),
    );
    await missing.is(1);
  });

  it.for<[string, string]>([
    ['/graphql', '/graphql'],
    ['/graphql/stream', '/graphql/stream'],
    ['/attachments/att_secret', '/attachments/{id}'],
    ['/auth/methods', '/auth/methods'],
    ['/auth/unknown-secret', 'none'],
    ['/api/v1/openapi.json', '/api/v1/openapi.json'],
    ['/healthz', '/healthz'],
    ['/secret/path', 'none'],
  ])('counts %s as %s', async ([path, route], { service }) => {
    const counted = await growth(
      service.url,
      (metrics) => metrics.sum(requests, { method: 'GET', route }),
      () => fetch(service.url + path),
    );
    await counted.is(1);
    expect((await scrape(service.url)).text).not.toContain('secret');
  });

  it('counts another method of a known path under its pattern, and an unusual method as "other"', async ({
    service,
  }) => {
    const counted = await growth(
      service.url,
      (metrics) => metrics.sum(requests, { method: 'other', route: '/api/v1/threads/{thread-id}', status: '405' }),
      () => fetch(`${service.url}/api/v1/threads/thr_1`, { method: 'PROPFIND' }),
    );
    await counted.is(1);
  });

  it('has no path, id or name among its labels, whatever was asked for', async ({ service, ada }) => {
    for (const path of ['/threads/thr_x1', '/threads/thr_x2/messages', '/nothing/x3']) await ada.rest.get(path);
    await fetch(`${service.url}/x4`, { headers: { accept: 'text/html' } });
    await vi.waitFor(
      async () => {
        const routes = (await scrape(service.url)).valuesOf(requests, 'route');
        expect(routes).toContain('/api/v1/threads/{thread-id}/messages');
        expect(routes.filter((route) => /x[1-4]/.test(route))).toEqual([]);
      },
      { timeout: 20_000 },
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
    const grown = await growth(
      service.url,
      (metrics) => metrics.sum(operations, labels),
      () => graphql.run(query),
    );
    await grown.is(1);
  });

  it('counts the operations of REST', async ({ service, ada }) => {
    const grown = await growth(
      service.url,
      (metrics) => metrics.sum(operations, { kind: 'query', outcome: 'succeeded' }),
      () => ada.rest.get('/me'),
    );
    await grown.is(1);
  });
});

describe('skein_open_streams', () => {
  it('is the number of streams that are open', async ({ service, ada }) => {
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
});
