/**
 * Tokens reach the viewers of every node, whichever node generates them; also where Redis carries them, and is killed, flushed,
 * full or frozen in the middle of a response.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningService } from '../../src/serve.js';
import { collectEvents } from '../modules/viewing/collect-events.js';
import { joinTokens, type ReceivedEvent } from '../support/clients/sse.js';
import { gate, reasoning, text, wait } from '../support/model/model-script.js';
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

const feeds = [
  { feed: 'postgres', skip: false },
  { feed: `redis${redisNote}`, skip: !hasRedis },
];

const patient = { timeout: 30_000 };

for (const { feed, skip } of feeds) {
  describe.skipIf(skip)(`nodes of their own › ${feed}`, () => {
    let redis: RedisServer | undefined;
    let service: TestService;
    let api: RunningService;
    let ada: Person;
    beforeAll(async () => {
      redis = feed === 'redis' ? await RedisServer.start() : undefined;
      service = await startTestService({ environment: { ROLE: 'worker', REDIS_URL: redis?.url ?? '' } });
      api = await service.addNode({ ROLE: 'api' });
      ada = await service.person();
    });
    afterAll(async () => {
      await service?.stop();
      await redis?.stop();
    });

    const here = () => service.clientOf(api, ada.token);

    it('show the tokens of a worker on another node as they come', async () => {
      const held = gate();
      service.model.enqueue([reasoning('hm'), text('Hel'), wait(held.passed), text('lo')]);
      const sent = await here().createThread({ text: 'hi' });
      const events = await here().stream(sent);
      const first = await events.next();
      expect(first.value).toMatchObject({ event: 'token', data: { token: 'Hel' } });
      held.open();
      const rest = await collectEvents(events);
      expect(joinTokens(rest)).toBe('lo');
      expect(rest.at(-1)?.event).toBe('done');
    });

    it('give a late viewer on another node everything from the beginning', async () => {
      const held = gate();
      service.model.enqueue([text('early '), text('text '), wait(held.passed), text('late')]);
      const sent = await here().createThread({ text: 'hi' });
      const early = await here().stream(sent);
      expect((await early.next()).value?.data).toMatchObject({ token: expect.stringMatching(/^early/) });
      const late = await here().stream(sent);
      const first = await late.next();
      expect(String(first.value?.data['token'])).toMatch(/^early/);
      held.open();
      const all = [first.value as ReceivedEvent, ...(await collectEvents(late))];
      expect(joinTokens(all)).toBe('early text late');
      await early.return(undefined);
    });

    it('carry texts that do not fit into a notification', async () => {
      const long = 'ä😀"\\\n'.repeat(5000);
      service.model.enqueue([text('a'), text(long), text('b')]);
      const sent = await here().createThread({ text: 'hi' });
      expect(joinTokens(await here().streamToEnd(sent))).toBe(`a${long}b`);
    });

    it('keep nothing of a response that nobody follows any more', async () => {
      const held = gate();
      service.model.enqueue([text('some'), wait(held.passed), text(' more')]);
      const sent = await here().createThread({ text: 'hi' });
      const events = await here().stream(sent);
      await events.next();
      await events.return(undefined);
      await vi.waitFor(() => expect(api.tokenLog.stats()).toMatchObject({ running: 0, readers: 0 }), patient);
      held.open();
      await here().answer(sent);
      await vi.waitFor(async () => expect(await service.database.tokenChunk.count()).toBe(0), patient);
    });

    it('keep the streams of a node that stops until the answers end, also of one without a word yet', async () => {
      const leaving = await service.addNode({ ROLE: 'api' });
      const there = service.clientOf(leaving, ada.token);
      const [begun, held] = [gate(), gate()];
      const asked = service.model.requests.length;
      service.model.enqueue([wait(begun.passed), text('Hel'), wait(held.passed), text('lo')]);
      const sent = await there.createThread({ text: 'hi' });
      await vi.waitFor(() => expect(service.model.requests.length).toBe(asked + 1), patient);
      const events = await there.stream(sent);
      await vi.waitFor(() => expect(leaving.tokenLog.stats()).toMatchObject({ waiting: 1 }), patient);
      const stopped = leaving.stop(60_000);
      begun.open();
      expect((await events.next()).value).toMatchObject({ event: 'token', data: { token: 'Hel' } });
      held.open();
      const rest = await collectEvents(events);
      expect(joinTokens(rest)).toBe('lo');
      expect(rest.at(-1)?.event).toBe('done');
      await stopped;
    });

    it.runIf(feed === 'postgres')('fill the gap after notifications were lost', async () => {
      const [one, two] = [gate(), gate()];
      service.model.enqueue([text('before '), wait(one.passed), text('during '), wait(two.passed), text('after')]);
      const sent = await here().createThread({ text: 'hi' });
      const events = await here().stream(sent);
      const seen = [(await events.next()).value as ReceivedEvent];
      await service.database.$queryRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'skein listen%' AND datname = current_database()`;
      one.open();
      await vi.waitFor(async () => expect(await service.database.tokenChunk.count()).toBeGreaterThan(1), patient);
      two.open();
      for await (const event of events) seen.push(event);
      expect(joinTokens(seen)).toBe('before during after');
      expect(seen.at(-1)?.event).toBe('done');
    });

    if (feed === 'postgres') return;

    describe('through an outage of Redis', () => {
      const running = () => {
        if (!redis) throw new Error('There is no Redis.');
        return redis;
      };

      /** A response in three parts, seen from the other node up to its first. */
      async function respond() {
        const [one, two] = [gate(), gate()];
        service.model.enqueue([text('before '), wait(one.passed), text('during '), wait(two.passed), text('after')]);
        const sent = await here().createThread({ text: 'hi' });
        const events = await here().stream(sent);
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
        return { ...sent, one, two, until, toEnd };
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
        const { messageId, one, two, toEnd } = await respond();
        expect(await running().client.keys(`skein:text:${messageId}`)).toHaveLength(1);
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
        await begin(running());
        one.open();
        const hasFailed = async () => expect(await failedAppends()).toBeGreaterThan(failedBefore);
        if (isLasting) await vi.waitFor(hasFailed, patient);
        expect(await readiness()).toEqual([200, 200]);
        await end(running());
        await until('before during ');
        two.open();
        expect(await toEnd()).toEqual(whole);
        await isAllWell();
      });

      it.each(outages)(
        '$name until after the end: the viewer gets the rest from the database',
        async ({ begin, end }) => {
          const { one, two, toEnd } = await respond();
          await begin(running());
          one.open();
          two.open();
          expect(await toEnd()).toEqual(whole);
          expect(await readiness()).toEqual([200, 200]);
          await end(running());
          await isAllWell();
        },
      );

      it('a node that starts without Redis serves, and streams from the database what it does not receive', async () => {
        await running().kill();
        const node = await service.addNode({ ROLE: 'api' });
        service.model.enqueue([text('all '), text('the same')]);
        const client = service.clientOf(node, ada.token);
        const events = await client.streamToEnd(await client.createThread({ text: 'hi' }));
        expect(joinTokens(events)).toBe('all the same');
        expect(events.at(-1)?.event).toBe('done');
        await running().start();
        await isAllWell();
      });
    });
  });
}
