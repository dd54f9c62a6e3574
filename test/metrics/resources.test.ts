/** What a process has and what it refuses: connections to the database, the listener, limits, and the port for metrics. */
import pg from 'pg';
import { describe, expect, vi } from 'vitest';
import { readConfig } from '../../src/config.js';
import { serviceTest } from '../support/fixtures/service.js';
import { freePort } from '../support/network/free-port.js';
import { scrape } from './scrape.js';

const { databaseConnections: poolSize } = readConfig({});

const it = serviceTest({ environment: { MESSAGES_PER_USER: '1', STREAMS_PER_USER: '1' } });
const patience = { timeout: 10_000 };

describe('skein_database_*', () => {
  it('tell how many connections are used, how many there may be, and how many statements wait', async ({ service }) => {
    const client = new pg.Client({ connectionString: service.storage.url });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE feedback IN ACCESS EXCLUSIVE MODE');
    const more = 3;
    const stuck = Array.from(
      { length: poolSize + more },
      () => service.database.$queryRaw`SELECT count(*) FROM feedback`,
    );
    const outcomes = Promise.allSettled(stuck);
    const requests = { pool: 'requests' };
    await vi.waitFor(async () => {
      const metrics = await scrape(service.url);
      expect(metrics.sum('skein_database_connections_used', requests)).toBe(poolSize);
      // The statement of the scrape itself waits too.
      expect(metrics.sum('skein_database_waiting', requests)).toBeGreaterThanOrEqual(more);
      expect(metrics.sum('skein_database_connections_maximum', requests)).toBe(poolSize);
      expect(metrics.sum('skein_database_connections_maximum', { pool: 'leases' })).toBe(2);
    }, patience);
    await client.end();
    await outcomes;
    await vi.waitFor(async () => {
      expect((await scrape(service.url)).sum('skein_database_waiting', requests)).toBe(0);
    }, patience);
  });
});

describe('skein_listener_reconnects_total', () => {
  it('counts each time that the connection for notifications was restored', async ({ service }) => {
    const before = (await scrape(service.url)).sum('skein_listener_reconnects_total');
    await service.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'skein listen' AND datname = current_database()",
    );
    await vi.waitFor(async () => {
      expect((await scrape(service.url)).sum('skein_listener_reconnects_total')).toBe(before + 1);
    }, patience);
  });
});

describe('skein_limits_hit_total', () => {
  it('counts a refusal once, by the policy, over REST and GraphQL', async ({ service, graphql, ada }) => {
    const hits = async () => (await scrape(service.url)).sum('skein_limits_hit_total', { limit: 'messages' });
    await ada.rest.createThread({ text: 'One' });
    expect(await hits()).toBe(0);
    expect((await ada.rest.post('/threads', { text: 'Two' })).status).toBe(429);
    await vi.waitFor(async () => expect(await hits()).toBe(1), patience);
    const refused = await graphql.run('mutation { createThread(input: {text: "Three"}) { __typename } }');
    expect(refused.body.errors?.[0]?.extensions).toMatchObject({ limit: 'messages' });
    await vi.waitFor(async () => expect(await hits()).toBe(2), patience);
  });

  it('counts a limit of an operation', async ({ service, graphql }) => {
    const hits = async (limit: string) => (await scrape(service.url)).sum('skein_limits_hit_total', { limit });
    const aliases = Array.from({ length: 31 }, (_, index) => `a${index}: me { sub }`).join(' ');
    await graphql.run(`{ ${aliases} }`);
    await vi.waitFor(async () => expect(await hits('aliases')).toBe(1), patience);
  });
});

describe('METRICS_PORT', () => {
  it('serves /metrics at a port of its own, and no longer at that of the service', async ({ service }) => {
    const port = await freePort();
    const node = await service.addNode({ METRICS_PORT: String(port) });
    expect(node.metricsUrl).toBe(`http://127.0.0.1:${port}`);
    expect((await scrape(String(node.metricsUrl))).text).toContain('skein_viewers');
    expect((await fetch(`${node.url}/metrics`)).status).toBe(404);
    // Once its worker has looked for work.
    for (const url of [node.url, node.metricsUrl]) {
      await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), patience);
    }
    expect((await fetch(`${node.metricsUrl}/api/v1/me`)).status).toBe(404);
  });

  it('requires METRICS_TOKEN there too', async ({ service }) => {
    const node = await service.addNode({
      METRICS_PORT: String(await freePort()),
      METRICS_TOKEN: 'figures-for-prometheus',
    });
    expect((await fetch(`${node.metricsUrl}/metrics`)).status).toBe(401);
  });
});
