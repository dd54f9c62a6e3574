/**
 * A connection to Redis that is always about to come back. Nothing is queued for it while it is away, nothing is sent
 * twice, and each command has an answer or a failure within seconds: a server that is frozen answers nothing at all, and
 * its connection is then replaced.
 */
import { Redis } from 'ioredis';
import type { RedisFailures } from './failures.js';

export interface RedisConnectionOptions {
  url: string;
  /** What the server shows in its list of clients. */
  name: string;
  failures: Pick<RedisFailures, 'report'>;
}

/** How long a blocking read may take; shorter than the limit of an answer. */
export const blockMs = 1000;
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
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(longestPauseMs, 50 * 2 ** times) * (0.5 + Math.random() / 2),
    // After a failover the old address may be a replica for a while.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  redis.on('error', (error) => failures.report(error));
  return redis;
}
