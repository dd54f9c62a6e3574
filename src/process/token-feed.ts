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
import { DeferredWriter } from '../modules/tokens/deferred-writer.js';
import { type Followers, type OutcomeWriter, TokenLog, type TokenWriter } from '../modules/tokens/log/token-log.js';
import { PostgresFeedReader } from '../modules/tokens/postgres/feed-reader.js';
import { PostgresFeedWriter } from '../modules/tokens/postgres/feed-writer.js';
import { connectRedis } from '../modules/tokens/redis/connection.js';
import { RedisFailures } from '../modules/tokens/redis/failures.js';
import { RedisFeedReader } from '../modules/tokens/redis/feed-reader.js';
import { RedisFeedWriter } from '../modules/tokens/redis/feed-writer.js';
import type { GaugeSource } from '../routes/operator.js';

export const tokenChannel = 'response_tokens';

export interface TokenFeed {
  /** Viewers in this process read from it. */
  log: TokenLog;
  /** The worker of this process writes to it. */
  writer: OutcomeWriter;
  gauges: readonly GaugeSource[];
  listen(listener: Listener): void;
  /** Sends remaining text to the other processes. Call it while the log still has the text. */
  close(): Promise<void>;
}

export function localFeed(): TokenFeed {
  const log = new TokenLog();
  return { log, writer: log, gauges: [], listen: () => undefined, close: () => Promise.resolve() };
}

export function postgresFeed({ database, logger }: { database: PrismaClient; logger: Logger }): TokenFeed {
  const node = randomUUID();
  const log = new TokenLog({ followers: followersOf(() => reader) });
  const isGeneratedAlone = (responseId: string) => deferred.isDeferred(responseId);
  const reader = new PostgresFeedReader({ database, log, logger, node, isGeneratedAlone });
  const remote = new PostgresFeedWriter({ database, logger, node, channel: tokenChannel });
  let othersListen = () => Promise.resolve(true);
  const deferred = new DeferredWriter({
    remote,
    find: (responseId) => log.find(responseId),
    othersListen: () => othersListen(),
    onError: (error) => logger.warn({ err: error }, 'whether other nodes listen could not be asked'),
  });
  return {
    log,
    writer: both(log, deferred),
    gauges: [],
    listen: (listener) => {
      othersListen = () => listener.othersListen();
      listener.on(nodeListens, { onNotification: () => deferred.hear(), onReconnect: () => deferred.look() });
      listener.on(tokenChannel, {
        onNotification: (payload) => reader.receive(payload),
        onReconnect: () => reader.reload(),
      });
    },
    close: () => remote.close(),
  };
}

/** Uses two connections for all responses and viewers. Redis may be down at any time. */
export function redisFeed({ url, logger }: { url: string; logger: Logger }): TokenFeed {
  const node = randomUUID();
  const failures = new RedisFailures(logger);
  const commands = connectRedis({ url, name: 'skein', failures });
  const blocking = connectRedis({ url, name: 'skein-reader', failures });
  const log = new TokenLog({ followers: followersOf(() => reader) });
  const reader = new RedisFeedReader({ blocking, commands, log, failures, node });
  const remote = new RedisFeedWriter({ redis: commands, failures, find: (responseId) => log.find(responseId) });
  const end = async () => {
    await Promise.all([remote.close(), reader.close()]);
    commands.disconnect();
  };
  let ended: Promise<void> | undefined;
  const failedAppends = {
    name: 'skein_redis_failed_appends',
    help: 'Times that Redis did not take the tokens of a response, since this process started. They are sent again.',
    read: () => failures.failedAppends,
  };
  return {
    log,
    writer: both(log, remote),
    gauges: [failedAppends],
    listen: () => undefined,
    close: () => {
      ended ??= end();
      return ended;
    },
  };
}

/** The log and the reader refer to each other, so the reader is resolved on first use. */
function followersOf(reader: () => Followers): Followers {
  return { follow: (id) => reader().follow(id), unfollow: (id) => reader().unfollow(id) };
}

/** Writes to both. The local log decides: what it rejects is not sent either. */
function both(log: OutcomeWriter, remote: TokenWriter): OutcomeWriter {
  return {
    open: (responseId, epoch) => log.open(responseId, epoch) && remote.open(responseId, epoch),
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
