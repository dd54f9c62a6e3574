/** How Redis holds the tokens of running responses, and what the feed does when it loses, refuses or cannot take them. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { type Logger, pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serializeError } from '../../../src/log.js';
import { redisFeed, type TokenFeed } from '../../../src/process/token-feed.js';
import { hasRedis, RedisServer, redisNote } from '../../support/network/redis.js';
import { FeedViewer, patience, Speaker } from './feed-viewer.js';

const silent = pino({ level: 'silent' });
const minuteMs = 60_000;

describe.skipIf(!hasRedis)(`the Redis feed${redisNote}`, () => {
  let redis: RedisServer;
  let a: TokenFeed;
  let b: TokenFeed;
  beforeAll(async () => {
    redis = await RedisServer.start();
    a = redisFeed({ url: redis.url, logger: silent });
    b = redisFeed({ url: redis.url, logger: silent });
  });
  afterAll(async () => {
    await Promise.all([a.close(), b.close()]);
    await redis.stop();
  });

  const keyOf = (speaker: Speaker) => `skein:tokens:${speaker.responseId}`;
  const namesOf = async (speaker: Speaker) => {
    const entries = await redis.client.xrange(keyOf(speaker), '-', '+');
    return entries.map(([id]) => id);
  };

  it('shows everything to a viewer who leaves and returns while more is on its way to the node', async () => {
    const speaker = new Speaker({ feed: a }).say('one ');
    const before = speaker.seenOn(b);
    await before.sees('one ');
    // It is the first test, so that nobody else is blocked.
    await vi.waitFor(async () => expect(await redis.client.info('clients')).toContain('blocked_clients:1'), patience);
    // Nothing runs here until Redis has answered the read that is blocked.
    const entry = ['XADD', keyOf(speaker), '1-1', 'more', '[["text",4,"two "]]'];
    expect(spawnSync('redis-cli', ['-p', String(redis.port), ...entry], { encoding: 'utf8' }).stdout).toBe('1-1\n');
    before.reader.close();
    await speaker.seenOn(b).sees('one two ');
  });

  it('keeps a response for 15 minutes while it runs, and for 5 after its end', async () => {
    const speaker = new Speaker({ feed: a }).say('text');
    const viewer = speaker.seenOn(b);
    await viewer.sees('text');
    const runningMs = await redis.client.pttl(keyOf(speaker));
    expect(runningMs).toBeGreaterThan(14 * minuteMs);
    expect(runningMs).toBeLessThanOrEqual(15 * minuteMs);
    speaker.end();
    await viewer.seesTheEnd('text');
    const endedMs = await redis.client.pttl(keyOf(speaker));
    expect(endedMs).toBeGreaterThan(4 * minuteMs);
    expect(endedMs).toBeLessThanOrEqual(5 * minuteMs);
  });

  it('lets Redis refuse an older attempt', async () => {
    const zombie = new Speaker({ feed: a }).say('old');
    await zombie.seenOn(b).sees('old');
    const successor = zombie.replacedBy(b).say('new');
    await vi.waitFor(
      async () => expect((await namesOf(zombie)).every((name) => name.startsWith('2-'))).toBe(true),
      patience,
    );
    const before = await namesOf(zombie);
    zombie.say(' and more of the old');
    // Later text of the same process is sent with it.
    const witness = new Speaker({ feed: a }).say('x');
    await witness.seenOn(b).sees('x');
    expect(await namesOf(zombie)).toEqual(before);
    successor.say('er');
    await zombie.seenOn(a).sees('newer', 2);
  });

  it.each([
    ['everything was flushed', (_key: string) => redis.client.flushall()],
    ['the stream expired', (key: string) => redis.client.pexpire(key, 1)],
    ['a replica took over that lacks the last entries', (key: string) => redis.client.xtrim(key, 'MAXLEN', 1)],
    ['a replaced worker wrote into an empty Redis', (key: string) => seedByZombie(key)],
  ])('sends the whole text again when %s', async (_name, lose) => {
    const speaker = new Speaker({ feed: a, epoch: 2 }).say('one ');
    const viewer = speaker.seenOn(b);
    await viewer.sees('one ', 2);
    speaker.say('two ');
    await viewer.sees('one two ', 2);
    await lose(keyOf(speaker));
    await vi.waitFor(async () => expect(await redis.client.xlen(keyOf(speaker))).toBeLessThan(2), patience);
    speaker.say('three');
    await viewer.sees('one two three', 2);
    await speaker.seenOn(b).sees('one two three', 2);
    await vi.waitFor(async () => expect(await namesOf(speaker)).toHaveLength(1), patience);
  });

  const seedByZombie = async (key: string) => {
    await redis.client.flushall();
    await redis.client.xadd(key, '1-7', 'all', '[["text",0,"zombie"]]');
  };

  it('begins to read at most eight streams at a time, and shows all of them', async () => {
    const speakers = Array.from({ length: 30 }, () => new Speaker({ feed: a }).say('x'));
    await vi.waitFor(async () => {
      for (const speaker of speakers) expect(await redis.client.xlen(keyOf(speaker))).toBe(1);
    }, patience);
    const reads = vi.spyOn(Redis.prototype, 'xread');
    for (const viewer of speakers.map((speaker) => speaker.seenOn(b))) await viewer.sees('x');
    const unread = new Set<unknown>(speakers.map(keyOf));
    for (const call of reads.mock.calls as unknown[][]) {
      const begun = call.filter((argument) => unread.delete(argument));
      expect(begun.length).toBeLessThanOrEqual(8);
    }
    reads.mockRestore();
    expect(unread.size).toBe(0);
  });

  it('takes two connections a process, whatever the number of responses and viewers', async () => {
    const speakers = Array.from({ length: 30 }, () => new Speaker({ feed: a }).say('x'));
    for (const viewer of speakers.flatMap((speaker) => [speaker.seenOn(b), speaker.seenOn(b)])) await viewer.sees('x');
    const clients = String(await redis.client.client('LIST')).split('\n');
    expect(clients.filter((line) => line.includes(' name=skein'))).toHaveLength(4);
  });

  it.each([
    ['more text', ['1-2', 'more', '[["text",8,"three"]]']],
    ['the end', ['1-2', 'more', '[]', 'end', '18']],
  ])('does not take %s behind a gap, until everything has come', async (_name, entry) => {
    const responseId = `msg_${randomUUID()}`;
    const add = (...words: string[]) => redis.client.call('XADD', `skein:tokens:${responseId}`, ...words);
    const viewer = new FeedViewer(b, responseId);
    await add('1-0', 'all', '[["text",0,"one "]]');
    await viewer.sees('one ');
    await add(...entry);
    await new Speaker({ feed: a }).say('x').seenOn(b).sees('x');
    expect(viewer.text()).toBe('one ');
    expect(viewer.reader.hasWholeText({ epoch: 1, text: 4, thinking: 0 })).toBe(false);
    await add('1-3', 'all', '[["text",0,"one two three four"]]', 'end', '18');
    await viewer.seesTheEnd('one two three four');
  });

  it('skips an entry that it did not write', async () => {
    const speaker = new Speaker({ feed: a }).say('one ');
    const viewer = speaker.seenOn(b);
    await viewer.sees('one ');
    await redis.client.xadd(keyOf(speaker), '1-1000', 'all', 'no JSON');
    const other = new Speaker({ feed: a }).say('other');
    await other.seenOn(b).sees('other');
  });

  it('reports a full Redis once in the log and each time in a metric, and catches up', async () => {
    const lines: string[] = [];
    const feed = redisFeed({ url: redis.url, logger: collecting(lines) });
    const failed = () => feed.gauges.find(({ name }) => name === 'skein_redis_failed_appends')?.read();
    const speaker = new Speaker({ feed }).say('before ');
    const viewer = speaker.seenOn(b);
    await viewer.sees('before ');
    expect(failed()).toBe(0);
    await redis.client.config('SET', 'maxmemory', '1mb');
    speaker.say('secret ');
    await vi.waitFor(() => expect(failed()).toBeGreaterThan(1), patience);
    expect(lines.filter((line) => line.includes('Redis is failing'))).toHaveLength(1);
    expect(lines.join('')).toContain('OOM');
    expect(lines.join('')).not.toContain('secret');
    await redis.client.config('SET', 'maxmemory', '0');
    await viewer.sees('before secret ');
    await feed.close();
  });

  it('starts without Redis, and connects when it comes up', async () => {
    const late = await RedisServer.start();
    await late.kill();
    const feeds = [redisFeed({ url: late.url, logger: silent }), redisFeed({ url: late.url, logger: silent })] as const;
    const speaker = new Speaker({ feed: feeds[0] }).say('said before');
    const viewer = speaker.seenOn(feeds[1]);
    await late.start();
    await viewer.sees('said before');
    await Promise.all(feeds.map((feed) => feed.close()));
    await late.stop();
  });
});

function collecting(lines: string[]): Logger {
  return pino({ level: 'debug', serializers: { err: serializeError } }, { write: (line) => lines.push(line) });
}
