/** What a process has and what it refuses: connections to the database, the listener, every kind of limit, and the port for metrics. */

import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../src/config.js';
import { quota } from '../../src/modules/attachments/announce.js';
import { announce } from '../graphql/attachments/attached-file.js';
import { newcomersTest } from '../support/fixtures/service.js';
import { freePort } from '../support/network/free-port.js';
import { scrape } from './scrape.js';

const { databaseConnections: poolSize } = readConfig({});

const it = newcomersTest({
  environment: {
    MESSAGES_PER_USER: '1',
    STREAMS_PER_USER: '1',
    MAX_CONNECTIONS: '10',
    ATTACHMENT_STORAGE_PER_USER: '1',
  },
});
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

const fileOf = (size: number) => ({ name: 'a.txt', mediaType: 'text/plain', size });
const hits = async (url: string, limit: string) => (await scrape(url)).sum('skein_limits_hit_total', { limit });

describe('skein_limits_hit_total', () => {
  it('counts a refusal once, by the policy, over REST and GraphQL', async ({ service, ada }) => {
    await ada.rest.createThread({ text: 'One' });
    expect(await hits(service.url, 'messages')).toBe(0);
    expect((await ada.rest.post('/threads', { text: 'Two' })).status).toBe(429);
    await expect.poll(() => hits(service.url, 'messages')).toBe(1);
    const refused = await ada.graphql.run('mutation { createThread(input: {text: "Three"}) { __typename } }');
    expect(refused.body.errors?.[0]?.extensions).toMatchObject({ limit: 'messages' });
    await expect.poll(() => hits(service.url, 'messages')).toBe(2);
  });

  it('counts a limit of an operation', async ({ service, ada }) => {
    const aliases = Array.from({ length: 31 }, (_, index) => `a${index}: me { sub }`).join(' ');
    await ada.graphql.run(`{ ${aliases} }`);
    await expect.poll(() => hits(service.url, 'aliases')).toBe(1);
  });

  it('counts an attachment for which there is no storage', async ({ service, ada }) => {
    expect(await announce(service, ada, fileOf(2 ** 20))).toHaveProperty('attachment');
    expect(await hits(service.url, 'attachment-storage')).toBe(0);
    expect(await announce(service, ada, fileOf(1))).toMatchObject({ code: 'ATTACHMENT_QUOTA' });
    expect(await hits(service.url, 'attachment-storage')).toBe(1);
  });

  it('counts an attachment beyond those that may be unsent', async ({ service, ada }) => {
    for (let count = 0; count < quota.attachments; count += 1) await announce(service, ada, fileOf(1));
    expect(await hits(service.url, 'unsent-attachments')).toBe(0);
    expect(await announce(service, ada, fileOf(1))).toMatchObject({ code: 'ATTACHMENT_QUOTA' });
    expect(await hits(service.url, 'unsent-attachments')).toBe(1);
  });

  it('counts connections that are closed because there are too many', async ({ service }) => {
    expect(await hits(service.url, 'connections')).toBe(0);
    const { hostname, port } = new URL(service.url);
    const sockets = Array.from({ length: 12 }, () => connect(Number(port), hostname).on('error', () => undefined));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await Promise.race(sockets.map((socket) => once(socket, 'close')));
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => hits(service.url, 'connections')).toBeGreaterThan(0);
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
      await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
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
