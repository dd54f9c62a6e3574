/** Two nodes count together, over PostgreSQL and over Redis; and go on alone while what they share is away. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningService } from '../../src/serve.js';
import type { RestClient } from '../support/clients/rest-client.js';
import { hasRedis, RedisServer, redisNote } from '../support/network/redis.js';
import { startTestService, type TestService } from '../support/service.js';

const environment = { REQUESTS_PER_TOKEN: '10', MESSAGES_PER_USER: '3', MESSAGES_PER_ORGANIZATION: 'off' };
const settings = { concurrency: 0 };

interface Cluster {
  service: TestService;
  other: RunningService;
}

const statusOf = async (client: RestClient) => (await client.get('/me')).status;
const sendBy = async (client: RestClient) => (await client.post('/threads', { text: 'Hi' })).status;

/** What one node lets through, the other refuses soon, and goes on to: requests and messages. */
async function expectOneCount({ service, other }: Cluster): Promise<void> {
  const ada = await service.person();
  const there = service.clientOf(other, ada.token);
  for (let count = 0; count < 10; count += 1) expect(await statusOf(ada.rest)).toBe(200);
  expect(await statusOf(there)).toBe(200);
  await expect.poll(() => statusOf(there)).toBe(429);
  const ben = await service.person();
  const nodes = [ben.rest, service.clientOf(other, ben.token)] as const;
  expect([await sendBy(nodes[0]), await sendBy(nodes[1]), await sendBy(nodes[0])]).toEqual([201, 201, 201]);
  for (const node of nodes) await expect.poll(() => sendBy(node)).toBe(429);
}

describe('over PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    const service = await startTestService({ settings, environment });
    cluster = { service, other: await service.addNode() };
  });
  afterAll(() => cluster.service.stop());

  it('two nodes hold one limit', () => expectOneCount(cluster));

  it('windows are those of the clock of the database, whatever the clock of a node says', async () => {
    const { service } = cluster;
    const ada = await service.person();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    for (let count = 0; count < 10; count += 1) expect(await statusOf(ada.rest)).toBe(200);
    const ends = `SELECT expire - extract(epoch FROM now()) * 1000 <= 60000 AS "isSoon" FROM rate_count WHERE points = 10`;
    await expect.poll(() => service.sql(ends)).toEqual([{ isSoon: true }]);
    vi.useRealTimers();
  });

  it('a store that fails refuses nobody, is logged and counted, and counts again when it is back', async () => {
    const { service } = cluster;
    await service.sql('ALTER TABLE rate_count RENAME TO rate_count_away');
    const { rest } = await service.person();
    expect([await sendBy(rest), await sendBy(rest), await sendBy(rest), await sendBy(rest)]).toEqual([
      201, 201, 201, 429,
    ]);
    const failures = async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      return Number(/^skein_rate_store_failures (\d+)/m.exec(metrics)?.[1]);
    };
    await expect.poll(failures).toBeGreaterThan(3);
    // Each of the two nodes tells of it once.
    const complaints = service.log.filter((line) => line.includes('the shared rate limits cannot be reached'));
    expect([1, 2]).toContain(complaints.length);
    await service.sql('ALTER TABLE rate_count_away RENAME TO rate_count');
    await expectOneCount(cluster);
  });
});

describe.skipIf(!hasRedis)(`over Redis${redisNote}`, () => {
  let redis: RedisServer;
  let cluster: Cluster;
  beforeAll(async () => {
    redis = await RedisServer.start();
    const service = await startTestService({ settings, environment: { ...environment, REDIS_URL: redis.url } });
    cluster = { service, other: await service.addNode() };
  });
  afterAll(async () => {
    await cluster?.service.stop();
    await redis?.stop();
  });

  it('two nodes hold one limit', () => expectOneCount(cluster));

  it('a Redis that is gone refuses nobody', async () => {
    const { service } = cluster;
    await redis.kill();
    const { rest } = await service.person();
    expect([await sendBy(rest), await statusOf(rest)]).toEqual([201, 200]);
    await redis.start();
    await expect.poll(() => redis.client.ping()).toBe('PONG');
  });
});
