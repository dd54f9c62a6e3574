/**
 * Chooses how tokens reach viewers. In a single process, the worker writes directly to the log; if other processes may
 * share the database, PostgreSQL or Redis carries tokens between their logs.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import type { Config } from '../config.js';
import { nodeListens } from '../database/listen-connection.js';
import type { Listener } from '../database/listener.js';
import { FeedFailures } from '../modules/tokens/feed/feed-failures.js';
import { FeedReader } from '../modules/tokens/feed/feed-reader.js';
import type { FeedStore } from '../modules/tokens/feed/feed-store.js';
import { FeedWriter, type FeedWriterOptions } from '../modules/tokens/feed/feed-writer.js';
import { type OutcomeWriter, TokenLog, type TokenWriter } from '../modules/tokens/log/token-log.js';
import { PostgresStore } from '../modules/tokens/postgres/postgres-store.js';
import { connectRedis } from '../modules/tokens/redis/connection.js';
import { RedisStore } from '../modules/tokens/redis/redis-store.js';
import type { MetricSource } from '../routes/operator.js';

export const tokenChannel = 'response_tokens';

export interface TokenFeed {
  /** Viewers in this process read from it. */
  log: TokenLog;
  /** The worker of this process writes to it. */
  writer: OutcomeWriter;
  metricSources: readonly MetricSource[];
  listen(listener: Listener): void;
  /** Sends remaining text to the other processes. Call it while the log still has the text. */
  close(): Promise<void>;
}

export function localFeed(): TokenFeed {
  const log = new TokenLog();
  return { log, writer: log, metricSources: [], listen: () => undefined, close: () => Promise.resolve() };
}

interface SharedParts extends Pick<FeedWriterOptions, 'failures' | 'othersListen'> {
  store: FeedStore;
  /** Names this process. */
  node: string;
}

/** The log of this process, filled by its worker and, through the store, by those of others. */
function shareLog({ store, failures, node, othersListen }: SharedParts) {
  // The log and the reader refer to each other, so the reader is resolved on first use.
  const log: TokenLog = new TokenLog({
    followers: { follow: (id) => reader.follow(id), unfollow: (id) => reader.unfollow(id) },
  });
  const remote = new FeedWriter({ store, failures, find: (responseId) => log.find(responseId), othersListen });
  const isDeferred = (responseId: string) => remote.isDeferred(responseId);
  const reader = new FeedReader({ store, log, failures, node, isDeferred });
  return { log, reader, remote, writer: both(log, remote) };
}

export function postgresFeed({ database, logger }: { database: PrismaClient; logger: Logger }): TokenFeed {
  const node = randomUUID();
  let othersListen = () => Promise.resolve(true);
  const { log, reader, remote, writer } = shareLog({
    store: new PostgresStore({ database, node, channel: tokenChannel }),
    failures: new FeedFailures(logger, 'PostgreSQL'),
    node,
    othersListen: () => othersListen(),
  });
  return {
    log,
    writer,
    metricSources: [],
    listen: (listener) => {
      othersListen = () => listener.othersListen();
      listener.on(nodeListens, { onNotification: () => remote.hear(), onReconnect: () => remote.look() });
      listener.on(tokenChannel, {
        onNotification: (announcement) => reader.receive(announcement),
        onReconnect: () => reader.reload(),
      });
    },
    close: () => remote.close(),
  };
}

/** How often the connection that listens is asked for an answer, so that a broken one is found. */
const pingMs = 1_000;

/** Uses two connections for all responses and viewers. Redis may be down at any time. */
export function redisFeed({ url, logger }: { url: string; logger: Logger }): TokenFeed {
  const node = randomUUID();
  const failures = new FeedFailures(logger, 'Redis');
  const commands = connectRedis({ url, name: 'skein', failures });
  const subscriber = connectRedis({ url, name: 'skein-subscriber', failures });
  const store = new RedisStore({ commands, subscriber, failures, node });
  const { log, reader, remote, writer } = shareLog({
    store,
    failures,
    node,
    othersListen: () => Promise.resolve(true),
  });
  subscriber.on('message', (_channel, announcement) => reader.receive(announcement));
  commands.on('ready', () => remote.startOver());
  for (const connection of [commands, subscriber]) connection.on('ready', () => reader.reload());
  const pings = setInterval(() => {
    if (subscriber.status === 'connect')
      failures.report(new Error('The server takes no commands, as while it loads its data'));
    else subscriber.ping().catch((error: unknown) => failures.report(error));
  }, pingMs);
  const end = async () => {
    clearInterval(pings);
    await remote.close();
    failures.close();
    for (const connection of [commands, subscriber]) connection.disconnect();
  };
  let ended: Promise<void> | undefined;
  const failedAppends = {
    name: 'skein_redis_failed_appends',
    help: 'Times that Redis did not take the tokens of a response, since this process started. They are sent again.',
    read: () => failures.failedBatches,
  };
  return {
    log,
    writer,
    metricSources: [failedAppends],
    listen: () => undefined,
    close: () => {
      ended ??= end();
      return ended;
    },
  };
}

/** Writes to both. The local log decides: what it rejects is not sent either. */
function both(log: OutcomeWriter, remote: TokenWriter): OutcomeWriter {
  return {
    open: (responseId, epoch, message) => log.open(responseId, epoch, message) && remote.open(responseId, epoch),
    append: (responseId, epoch, entry) =>
      log.append(responseId, epoch, entry) && remote.append(responseId, epoch, entry),
    settling: (responseId, epoch) => log.settling(responseId, epoch),
    end: (responseId, epoch, hasSucceeded) => {
      log.end(responseId, epoch, hasSucceeded);
      remote.end(responseId, epoch);
    },
  };
}

/** The feed of the configuration. */
export function chooseFeed(
  { redisUrl }: Config,
  { isExclusive, ...options }: { database: PrismaClient; logger: Logger; isExclusive: boolean },
): TokenFeed {
  if (redisUrl !== undefined) return redisFeed({ url: redisUrl, logger: options.logger });
  return isExclusive ? localFeed() : postgresFeed(options);
}
