/** Creates the rate limits of this process, counted in memory or, with several nodes, in Redis or PostgreSQL. */
import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import type { Config } from '../config.js';
import { connectRedis } from '../modules/tokens/redis/connection.js';
import type { RatePolicy } from '../platform/rates/quota.js';
import type { RateStore, RateWindow } from '../platform/rates/rate.js';
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
    const keyPrefix = `skein:rate:${name}`;
    const options = { keyPrefix, points, duration, rejectIfRedisNotReady: true };
    if (redis) return new RateLimiterRedis({ ...options, storeClient: redis });
    if (isExclusive) return null;
    return tableStore(database, keyPrefix, duration * 1000);
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

/** By the clock of the database, as those of the nodes may differ. A migration creates the table, and housekeeping empties it. */
function tableStore(database: PrismaClient, prefix: string, lengthMs: number): RateStore {
  return {
    penalty: async (key, points) => {
      const [window] = await database.$queryRaw<RateWindow[]>`
        INSERT INTO rate_count AS c (key, points, expire)
        VALUES (${`${prefix}:${key}`}, ${points}::int, (extract(epoch FROM now()) * 1000)::bigint + ${lengthMs}::int)
        ON CONFLICT (key) DO UPDATE SET
          points = excluded.points + CASE WHEN c.expire > excluded.expire - ${lengthMs}::int THEN c.points ELSE 0 END,
          expire = CASE WHEN c.expire > excluded.expire - ${lengthMs}::int THEN least(c.expire, excluded.expire)
            ELSE excluded.expire END
        RETURNING points AS "consumedPoints", (expire - extract(epoch FROM now()) * 1000)::int AS "msBeforeNext"`;
      if (!window) throw new Error('The database returned no window');
      return window;
    },
  };
}
