/**
 * The Prisma client. PostgreSQL itself enforces the timeouts of each session, so that no statement, lock or abandoned
 * transaction of a stalled process blocks others. Since a frozen server or broken network enforces nothing, a response
 * that is late also counts as lost here, and its connection is closed. Broken idle connections are logged and leave the
 * pool; without a handler they would end the process.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Logger } from 'pino';
import { PrismaClient } from '../../prisma/generated/client/client.js';
import { StatementNames } from './statement-names.js';
import { nodePrefix, type Wake, wakingClient } from './wakes.js';

export interface PrismaClientOptions {
  url: string;
  /** Shown by `pg_stat_activity`; holds the worker's id, so that an operator can tell processes apart. */
  applicationName: string;
  maxConnections: number;
  /** Whether statements are prepared; a pooler must support it. Default: true. */
  preparedStatements?: boolean | undefined;
  limits?: StatementLimits;
  /** For a node of the service: called with each wake after its commit. Otherwise the wakes of statements are notified. */
  onWake?: (wake: Wake) => void;
  logger: Logger;
}

/** Maximum times in milliseconds, after which PostgreSQL cancels a statement or ends a session. */
export interface StatementLimits {
  /** Of waiting for a lock. */
  lockMs: number;
  /** Of a statement, waiting included. */
  statementMs: number;
  /** Of an open transaction without a statement. */
  idleMs: number;
}

export const defaultStatementLimits: StatementLimits = { lockMs: 3_000, statementMs: 5_000, idleMs: 5_000 };

/** PostgreSQL cuts longer names, and says so each time. */
const longestName = 63;

/**
 * Creates the client; `$disconnect()` closes its connections. PgBouncer must list these settings in
 * `ignore_startup_parameters`.
 */
export function createPrismaClient(options: PrismaClientOptions): PrismaClient {
  const { logger, preparedStatements = true } = options;
  const names = new StatementNames();
  const adapter = new PrismaPg(poolConfig(options), {
    ...(preparedStatements && { statementNameGenerator: ({ sql }) => names.of(sql) }),
    onPoolError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
    onConnectionError: (error) => logger.warn({ err: error }, 'a database connection broke during a transaction'),
  });
  // Other formats make every statement record a stack trace.
  return new PrismaClient({ adapter, errorFormat: 'minimal' });
}

function poolConfig({ url, applicationName, maxConnections, limits, onWake }: PrismaClientOptions): pg.PoolConfig {
  const { lockMs, statementMs, idleMs } = limits ?? defaultStatementLimits;
  const name = onWake ? `${nodePrefix}${applicationName}` : applicationName;
  return {
    connectionString: url,
    application_name: name.slice(0, longestName),
    ...(onWake && { Client: wakingClient(onWake) }),
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    // Longer than the server's timeout, because a statement that the server cancels is known to be rolled back.
    query_timeout: statementMs + 1_000,
    idle_in_transaction_session_timeout: idleMs,
  };
}
