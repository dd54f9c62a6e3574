/**
 * A connection to Redis that always reconnects. No command is queued while it is down or sent twice, and each command is
 * answered or fails within seconds: the connection to a frozen server, which answers nothing, is replaced.
 */
import { Redis } from 'ioredis';
import type { FeedFailures } from '../feed/feed-failures.js';

export interface RedisConnectionOptions {
  url: string;
  /** Name in the server's list of clients. */
  name: string;
  failures: Pick<FeedFailures, 'report'>;
}

const answerMs = 2500;
const longestPauseMs = 2000;

/** Connects in the background, for as long as that takes. */
export function connectRedis({ url, name, failures }: RedisConnectionOptions): Redis {
  const redis = new Redis(url, {
    connectionName: name,
    protocol: 2,
    connectTimeout: answerMs,
    commandTimeout: answerMs,
    socketTimeout: answerMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    maxLoadingRetryTime: longestPauseMs,
    retryStrategy: (times) => Math.min(longestPauseMs, 50 * 2 ** times) * (0.5 + Math.random() / 2),
    // After a failover the old address may be a replica for a while.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  let isExplained = false;
  const explain = () => {
    isExplained = true;
  };
  redis.on('error', (error) => {
    explain();
    failures.report(error);
  });
  // Proxies cut connections on which nothing is said. That is no failure, if the next one works.
  redis.on('ready', explain);
  redis.on('close', () => {
    if (!isExplained) failures.report(new Error('The connection was closed without a reason'));
    isExplained = false;
  });
  return redis;
}
