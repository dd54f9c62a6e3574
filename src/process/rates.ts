/** Creates the rate limits of this process, counted in memory or, with several nodes, in Redis or PostgreSQL. */
import type { Logger } from 'pino';
import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import type { Config } from '../config.js';
import { connectRedis } from '../modules/tokens/redis/connection.js';
import type { RatePolicy } from '../platform/rates/quota.js';
import type { RateStore } from '../platform/rates/rate.js';
import { Rates } from '../platform/rates/rates.js';
import type { ShutdownStack } from './shutdown-stack.js';

export interface RatesParts {
  config: Config;
  database: PrismaClient;
  logger: Logger;
  isExclusive: boolean;
  shutdown: ShutdownStack;
}

/** The limits end with the process. */
export function createRates({ config, database, logger, isExclusive, shutdown }: RatesParts): Rates {
  const { redisUrl, rateLimits: limits } = config;
  const redis = redisUrl === undefined ? null : connectRates(redisUrl, logger);
  const createStore = (policy: RatePolicy): RateStore | null => {
    const { name, limit: points, seconds: duration } = policy;
    const options = { keyPrefix: `skein:rate:${name}`, points, duration };
    if (redis) return new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true });
    if (isExclusive) return null;
    return new RateLimiterPostgres({ ...options, ...inTable, storeClient: queriesOf(database) });
  };
  const rates = new Rates({ limits, createStore, logger });
  shutdown.add('the rates', async () => {
    rates.close();
    redis?.disconnect();
  });
  return rates;
}

function connectRates(url: string, logger: Logger) {
  // The rate limits themselves log when they cannot be counted together.
  const failures = {
    report: (err: unknown) => logger.debug({ err }, 'the connection to Redis for rate limits failed'),
  };
  return connectRedis({ url, name: 'skein-rates', failures });
}

/** A migration creates the table, and housekeeping empties it. */
const inTable = { storeType: 'client', tableName: 'rate_count', tableCreated: true, clearExpiredByTimeout: false };

interface Query {
  text: string;
  values: unknown[];
}

/**
 * Adapts the request pool to the interface of a `pg` client. The library does arithmetic on results, so they must not
 * be BigInt.
 */
function queriesOf(database: PrismaClient) {
  return {
    query: async ({ text, values }: Query) => {
      const rows = await database.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values);
      return { rows: rows.map(withNumbers), rowCount: rows.length };
    },
  };
}

function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}
