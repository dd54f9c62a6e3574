/** Redis carries the tokens between two nodes, and is killed, flushed, full or frozen in the middle of a response. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningService } from '../../src/serve.js';
import { joinTokens, type ReceivedEvent } from '../support/clients/sse.js';
import { gate, text, wait } from '../support/model/model-script.js';
import { hasRedis, RedisServer, redisNote } from '../support/network/redis.js';
import { type Person, startTestService, type TestService } from '../support/service.js';

interface Outage {
  name: string;
  begin: (redis: RedisServer) => Promise<unknown>;
  end: (redis: RedisServer) => Promise<unknown>;
  /** True where Redis takes nothing until the end of the outage. */
  isLasting: boolean;
}

const outages: Outage[] = [
  { name: 'gone', begin: (redis) => redis.kill(), end: (redis) => redis.start(), isLasting: true },
  { name: 'flushed', begin: (redis) => redis.client.flushall(), end: async () => undefined, isLasting: false },
  {
    name: 'full',
    begin: (redis) => redis.client.config('SET', 'maxmemory', '1mb'),
    end: (redis) => redis.client.config('SET', 'maxmemory', '0'),
    isLasting: true,
  },
  { name: 'frozen', begin: async (redis) => redis.freeze(), end: async (redis) => redis.thaw(), isLasting: true },
];

describe.skipIf(!hasRedis)(`with Redis between the nodes${redisNote}`, () => {
  let redis: RedisServer;
  let service: TestService;
  let api: RunningService;
  let ada: Person;
  beforeAll(async () => {
    redis = await RedisServer.start();
    service = await startTestService({ environment: { ROLE: 'worker', REDIS_URL: redis.url } });
    api = await service.addNode({ ROLE: 'api' });
    ada = await service.person();
  });
  afterAll(async () => {
    await service?.stop();
    await redis?.stop();
  });

  /** A response in three parts, seen from the other node up to its first. */
  async function respond() {
    const [one, two] = [gate(), gate()];
    service.model.enqueue([text('before '), wait(one.passed), text('during '), wait(two.passed), text('after')]);
    const sent = await service.clientOf(api, ada.token).createThread({ text: 'hi' });
    const events = await service.clientOf(api, ada.token).stream(sent);
    const seen: ReceivedEvent[] = [];
    const until = async (expected: string) => {
      while (joinTokens(seen) !== expected) {
        const { value, done } = await events.next();
        if (done) throw new Error(`the stream ended with ${JSON.stringify(seen)}, not with "${expected}"`);
        seen.push(value);
      }
    };
    const toEnd = async () => {
      for await (const event of events) seen.push(event);
      return { text: joinTokens(seen), last: seen.at(-1)?.event };
    };
    await until('before ');
    return { one, two, until, toEnd };
  }

  const whole = { text: 'before during after', last: 'done' };

  async function isAllWell() {
    const { one, two, until, toEnd } = await respond();
    one.open();
    await until('before during ');
    two.open();
    expect(await toEnd()).toEqual(whole);
  }

  async function readiness() {
    const answers = await Promise.all([service.url, api.url].map((url) => fetch(`${url}/readyz`)));
    return answers.map(({ status }) => status);
  }

  it('tokens pass through Redis, and not through PostgreSQL', async () => {
    const { one, two, toEnd } = await respond();
    expect(await redis.client.keys('skein:text:*')).toHaveLength(1);
    expect(await service.database.tokenChunk.count()).toBe(0);
    one.open();
    two.open();
    expect(await toEnd()).toEqual(whole);
  });

  async function failedAppends() {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^skein_redis_failed_appends (\d+)$/m.exec(metrics)?.[1]);
  }

  it.each(outages)('$name and back: the viewer catches up', async ({ begin, end, isLasting }) => {
    const { one, two, until, toEnd } = await respond();
    const failedBefore = await failedAppends();
    await begin(redis);
    one.open();
    const hasFailed = async () => expect(await failedAppends()).toBeGreaterThan(failedBefore);
    if (isLasting) await vi.waitFor(hasFailed, { timeout: 30_000 });
    expect(await readiness()).toEqual([200, 200]);
    await end(redis);
    await until('before during ');
    two.open();
    expect(await toEnd()).toEqual(whole);
    await isAllWell();
  });

  it.each(outages)('$name until after the end: the viewer gets the rest from the database', async ({ begin, end }) => {
    const { one, two, toEnd } = await respond();
    await begin(redis);
    one.open();
    two.open();
    expect(await toEnd()).toEqual(whole);
    expect(await readiness()).toEqual([200, 200]);
    await end(redis);
    await isAllWell();
  });

  it('a node that starts without Redis serves, and streams from the database what it does not receive', async () => {
    await redis.kill();
    const node = await service.addNode({ ROLE: 'api' });
    service.model.enqueue([text('all '), text('the same')]);
    const client = service.clientOf(node, ada.token);
    const events = await client.streamToEnd(await client.createThread({ text: 'hi' }));
    expect(joinTokens(events)).toBe('all the same');
    expect(events.at(-1)?.event).toBe('done');
    await redis.start();
    await isAllWell();
  });
});
