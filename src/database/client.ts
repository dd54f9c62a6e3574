/**
 * The Prisma client. The limits are set for each session by PostgreSQL itself, so that no statement, lock or forgotten transaction
 * of a stalled process can hold up the others. A frozen server, or a network that swallows everything, keeps no limit: an
 * answer that does not come in time counts as lost here, and its connection is closed. A connection that breaks while it is
 * idle is dropped from the pool and logged; without a listener that would end the process.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Logger } from 'pino';
import { PrismaClient } from '../../prisma/generated/client/client.js';

export interface PrismaClientOptions {
  url: string;
  /** Shown by `pg_stat_activity`; holds the worker's id, so that an operator can tell processes apart. */
  applicationName: string;
  maxConnections: number;
  logger: Logger;
}

/** `$disconnect()` closes its connections. Behind PgBouncer, name these limits in its `ignore_startup_parameters`. */
export function createPrismaClient(options: PrismaClientOptions): PrismaClient {
  const { logger } = options;
  const adapter = new PrismaPg(poolConfig(options), {
    onPoolError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
    onConnectionError: (error) => logger.warn({ err: error }, 'a database connection broke during a transaction'),
  });
  return new PrismaClient({ adapter });
}

function poolConfig({ url, applicationName, maxConnections }: PrismaClientOptions): pg.PoolConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    lock_timeout: 3_000,
    statement_timeout: 5_000,
    // Longer than the server's, because what the server cuts off is known to be undone.
    query_timeout: 6_000,
    idle_in_transaction_session_timeout: 5_000,
  };
}
