/** How Redis holds the tokens of running responses, and what the feed does when it loses, refuses or cannot take them. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type Logger, pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serializeError } from '../../../src/log.js';
import { encodeEntries, type FeedEntry } from '../../../src/modules/tokens/feed/feed-entry.js';
import { redisFeed, type TokenFeed } from '../../../src/process/token-feed.js';
import { FaultyProxy } from '../../support/network/faulty-proxy.js';
import { hasRedis, RedisServer, redisNote } from '../../support/network/redis.js';
import { logger } from '../../support/silent-logger.js';
import { FeedViewer, heard, patience, Speaker } from './feed-viewer.js';

const minuteMs = 60_000;

describe.skipIf(!hasRedis)(`the Redis feed${redisNote}`, () => {
  let redis: RedisServer;
  let a: TokenFeed;
  let b: TokenFeed;
  beforeAll(async () => {
    redis = await RedisServer.start();
    a = redisFeed({ url: redis.url, logger });
    b = redisFeed({ url: redis.url, logger });
  });
  afterAll(async () => {
    await Promise.all([a.close(), b.close()]);
    await redis.stop();
  });

  const keyOf = (speaker: Speaker) => `skein:text:${speaker.responseId}`;
  const namesOf = async (speaker: Speaker) => {
    const entries = await redis.client.xrange(keyOf(speaker), '-', '+');
    return entries.map(([id]) => id);
  };

  const feedClients = async () => {
    const clients = String(await redis.client.client('LIST')).split('\n');
    return clients.filter((line) => line.includes(' name=skein'));
  };

  /** Adds to the stream of a response and announces it, as another node does. */
  const add = (responseId: string, entry: Pick<FeedEntry, 'seq' | 'kind' | 'text'>, ...first: string[]) => {
    const key = `skein:text:${responseId}`;
    const [announcement = ''] = encodeEntries('there', [{ responseId, epoch: 1, isFirst: false, ...entry }]);
    return [
      ['XADD', key, `1-${entry.seq}`, entry.kind, entry.text ?? '', ...first],
      ['PUBLISH', key, announcement],
    ];
  };

  it('shows everything to a viewer who leaves and returns while more is on its way to the node', async () => {
    const speaker = new Speaker({ feed: a }).say('one ');
    const before = speaker.seenOn(b);
    await before.sees('one ');
    const [name = ''] = await namesOf(speaker);
    const seq = Number(name.split('-')[1]) + 1;
    // Nothing runs here until Redis has sent the announcement.
    for (const command of add(speaker.responseId, { seq, kind: 'text', text: 'two ' })) {
      expect(spawnSync('redis-cli', ['-p', String(redis.port), ...command]).status).toBe(0);
    }
    before.reader.close();
    await speaker.seenOn(b).sees('one two ');
  });

  it('keeps a response for 15 minutes while it runs, and for 5 after its end', async () => {
    const { speaker, viewer } = await heard(a, b, 'text');
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

  it('listens only to responses that are followed, and to those again after a reconnect', async () => {
    const [one, two] = [new Speaker({ feed: a }).say('1'), new Speaker({ feed: a }).say('2')];
    const viewer = one.seenOn(b);
    const other = two.seenOn(b);
    await Promise.all([viewer.sees('1'), other.sees('2')]);
    other.reader.close();
    const channels = async () => await redis.client.pubsub('CHANNELS', 'skein:text:*');
    await vi.waitFor(async () => {
      expect(await channels()).not.toContain(keyOf(two));
      expect(await channels()).toContain(keyOf(one));
    }, patience);
    await redis.client.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    one.say('1');
    await viewer.sees('11');
    await vi.waitFor(async () => expect(await channels()).toContain(keyOf(one)), patience);
    expect(await channels()).not.toContain(keyOf(two));
  });

  it('finds that its connections are open and carry nothing, and catches up', async () => {
    const proxy = await FaultyProxy.start({ host: '127.0.0.1', port: redis.port });
    const feed = redisFeed({ url: `redis://127.0.0.1:${proxy.port}`, logger });
    const { speaker, viewer } = await heard(a, feed, 'one ');
    proxy.mute();
    speaker.say('two');
    await viewer.sees('one two');
    await feed.close();
    await proxy.close();
  });

  it('takes two connections a process, whatever the number of responses and viewers', async () => {
    const speakers = Array.from({ length: 30 }, () => new Speaker({ feed: a }).say('x'));
    for (const viewer of speakers.flatMap((speaker) => [speaker.seenOn(b), speaker.seenOn(b)])) await viewer.sees('x');
    expect(await feedClients()).toHaveLength(4);
  });

  it.each([
    ['more text', { seq: 2, kind: 'text', text: 'three' } as const],
    ['the end', { seq: 2, kind: 'end', text: '' } as const],
  ])('does not take %s behind a gap, until everything has come', async (_name, entry) => {
    const responseId = `msg_${randomUUID()}`;
    const send = async (...commands: string[][]) => {
      for (const [name = '', ...words] of commands) await redis.client.call(name, ...words);
    };
    const viewer = new FeedViewer(b, responseId);
    await send(...add(responseId, { seq: 0, kind: 'text', text: 'one ' }, 'first', ''));
    await viewer.sees('one ');
    await send(...add(responseId, entry));
    await new Speaker({ feed: a }).say('x').seenOn(b).sees('x');
    expect(viewer.text()).toBe('one ');
    expect(viewer.reader.hasWholeText({ epoch: 1, text: 4, thinking: 0 })).toBe(false);
    await send(...add(responseId, { seq: 4, kind: 'text', text: 'one two ' }, 'first', ''));
    await send(...add(responseId, { seq: 5, kind: 'text', text: 'three four' }));
    await send(...add(responseId, { seq: 6, kind: 'end', text: '' }));
    await viewer.seesTheEnd('one two three four');
  });

  it('skips what it did not write', async () => {
    const { speaker, viewer } = await heard(a, b, 'one ');
    for (const junk of ['no JSON', '7', '["there",7]']) await redis.client.publish(keyOf(speaker), junk);
    speaker.say('two ');
    await viewer.sees('one two ');
    await redis.client.xadd(keyOf(speaker), '1-1000', 'all', 'no JSON');
    await speaker.seenOn(b).sees('one two ');
  });

  it('reports a full Redis once in the log and each time in a metric, and catches up', async () => {
    const lines: string[] = [];
    const feed = redisFeed({ url: redis.url, logger: collecting(lines) });
    const failed = () => feed.metricSources.find(({ name }) => name === 'skein_redis_failed_appends')?.read();
    const { speaker, viewer } = await heard(feed, b, 'before ');
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

  it('says nothing of the connections that it closes itself', async () => {
    const lines: string[] = [];
    const feed = redisFeed({ url: redis.url, logger: collecting(lines) });
    // All three listen, and say so once a second.
    const pinging = async () => (await feedClients()).filter((line) => line.includes(' cmd=ping '));
    await vi.waitFor(async () => expect(await pinging()).toHaveLength(3), patience);
    const { speaker, viewer } = await heard(a, feed, 'text');
    await feed.close();
    // One viewer leaves and another comes while the connections end.
    viewer.reader.close();
    const late = speaker.seenOn(feed);
    await vi.waitFor(async () => expect(await feedClients()).toHaveLength(4), patience);
    late.reader.close();
    expect(lines).toEqual([]);
  });

  it('shows everything to a viewer who comes before it is connected, and takes that for no failure', async () => {
    const lines: string[] = [];
    const speaker = new Speaker({ feed: a }).say('text');
    const feed = redisFeed({ url: redis.url, logger: collecting(lines) });
    await speaker.seenOn(feed).sees('text');
    await feed.close();
    expect(lines).toEqual([]);
  });

  it('starts without Redis, and connects when it comes up', async () => {
    const late = await RedisServer.start();
    await late.kill();
    const feeds = [redisFeed({ url: late.url, logger }), redisFeed({ url: late.url, logger })] as const;
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
