/**
 * Each feed with two nodes, `a` and `b`, as the conformance tests see it; the local feed has one node, which is both. What can
 * go wrong on the way is done for real: answers are lost on the wire, and connections are cut by the server.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { createPrismaClient } from '../../../src/database/client.js';
import { Listener } from '../../../src/database/listener.js';
import { ShutdownStack } from '../../../src/process/shutdown-stack.js';
import { localFeed, postgresFeed, redisFeed, type TokenFeed, tokenChannel } from '../../../src/process/token-feed.js';
import { createTestDatabase } from '../../support/database/database.js';
import { FaultyProxy } from '../../support/network/faulty-proxy.js';
import { hasRedis, RedisServer, redisNote } from '../../support/network/redis.js';
import { runSql } from '../../support/server.js';
import { logger } from '../../support/silent-logger.js';

export interface FeedWorld {
  a: TokenFeed;
  b: TokenFeed;
  /** The next time that `a` sends tokens they arrive, and the answer does not. Gives how often that has happened. */
  loseAnswer(): () => number;
  /** Cuts the connections over which the nodes hear of tokens. */
  cutConnections(): Promise<void>;
  stop(): Promise<void>;
}

async function startLocal(): Promise<FeedWorld> {
  const feed = localFeed();
  const nothing = () => Promise.resolve();
  return { a: feed, b: feed, loseAnswer: () => () => 1, cutConnections: nothing, stop: nothing };
}

/** A node that listens at the direct URL, and sends at the other one. */
export async function startPostgresNode(options: {
  url: string;
  directUrl: string;
  shutdown: ShutdownStack;
}): Promise<{ feed: TokenFeed; listener: Listener }> {
  const { url, directUrl, shutdown } = options;
  const client = createPrismaClient({ url, applicationName: 'feed', maxConnections: 4, logger });
  shutdown.add('the connections', () => client.$disconnect());
  const feed = postgresFeed({ database: client, logger });
  shutdown.add('the feed', () => feed.close());
  const listening = { url: directUrl, channels: [tokenChannel], applicationName: 'feed listen', logger };
  const listener = new Listener({ ...listening, firstPauseMs: 20 });
  await listener.open();
  shutdown.add('the listener', () => listener.close());
  feed.listen(listener);
  return { feed, listener };
}

async function startPostgres(): Promise<FeedWorld> {
  const shutdown = new ShutdownStack();
  const database = await createTestDatabase();
  shutdown.add('the database', database.drop);
  const { proxy, url } = await FaultyProxy.before(database.url);
  shutdown.add('the proxy', () => proxy.close());
  return {
    a: (await startPostgresNode({ url, directUrl: database.url, shutdown })).feed,
    b: (await startPostgresNode({ url: database.url, directUrl: database.url, shutdown })).feed,
    loseAnswer: () => loseAnswer(proxy, 'INSERT INTO token_chunk'),
    cutConnections: async () => {
      const listening = `application_name = 'feed listen' AND datname = current_database()`;
      await runSql(database.url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${listening}`);
    },
    stop: () => shutdown.end(),
  };
}

async function startRedis(): Promise<FeedWorld> {
  const shutdown = new ShutdownStack();
  const server = await RedisServer.start();
  shutdown.add('Redis', () => server.stop());
  const proxy = await FaultyProxy.start({ host: '127.0.0.1', port: server.port });
  shutdown.add('the proxy', () => proxy.close());
  const startNode = (url: string) => {
    const feed = redisFeed({ url, logger });
    shutdown.add('the feed', () => feed.close());
    return feed;
  };
  return {
    a: startNode(`redis://127.0.0.1:${proxy.port}`),
    b: startNode(server.url),
    loseAnswer: () => loseAnswer(proxy, 'XADD'),
    cutConnections: async () => {
      await server.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    },
    stop: () => shutdown.end(),
  };
}

function loseAnswer(proxy: FaultyProxy, about: string): () => number {
  const before = proxy.losses;
  proxy.lose({ about });
  return () => proxy.losses - before;
}

const feedKinds = [
  { kind: 'local', start: startLocal, skip: false },
  { kind: 'postgres', start: startPostgres, skip: false },
  { kind: `redis${redisNote}`, start: startRedis, skip: !hasRedis },
];

/** The same tests of each feed, in a world that is open while they run. */
export function describeFeeds(name: string, suite: (world: () => FeedWorld) => void): void {
  for (const { kind, start, skip } of feedKinds) {
    describe.skipIf(skip)(`${name} › ${kind}`, () => {
      let world: FeedWorld;
      beforeAll(async () => {
        world = await start();
      });
      afterAll(() => world?.stop());
      suite(() => world);
    });
  }
}
