/**
 * The Prisma client. PostgreSQL itself enforces the timeouts of each session, so that no statement, lock or abandoned
 * transaction of a stalled process blocks others. Since a frozen server or broken network enforces nothing, a response
 * that is late also counts as lost here, and its connection is closed. Broken idle connections are logged and leave the
 * pool; without a handler they would end the process. What the audit log records of the client's statements, it logs.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Logger } from 'pino';
import { PrismaClient } from '../../prisma/generated/client/client.js';
import { auditCode, logAudited } from './audited.js';
import { type CommittedMessage, hearingClient } from './committed-messages.js';
import { type Notification, nodePrefix, notificationCode } from './notifications.js';
import { withDirectStatements } from './raw-statements.js';
import { sessionSettings, settledClient } from './session-settings.js';
import { StatementNames } from './statement-names.js';
import { transactionSettingClient } from './transaction-settings.js';

export interface PrismaClientOptions {
  url: string;
  /** Shown by `pg_stat_activity`; holds the worker's id, so that an operator can tell processes apart. */
  applicationName: string;
  maxConnections: number;
  /** Whether a connection pooler is in between. Default: false. */
  isPooled?: boolean;
  /** Whether statements are prepared; a pooler must support it. Default: true. */
  preparedStatements?: boolean | undefined;
  limits?: StatementLimits;
  /** For a node of the service: called with each notification after its commit. Otherwise the database notifies at the commit. */
  onNotification?: (notification: Notification) => void;
  /** Called with the pool, for its metrics. */
  onPool?: (pool: pg.Pool) => void;
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

/** Creates the client; `$disconnect()` closes its connections. */
export function createPrismaClient(options: PrismaClientOptions): PrismaClient {
  const { logger, preparedStatements = true } = options;
  const names = preparedStatements ? new StatementNames() : null;
  const pool = new pg.Pool(poolConfig(options));
  pool.on('error', (error) => {
    // A connection that is being closed may hear first that its server stops, as the embedded one does next.
    if (!pool.ending) logger.warn({ err: error }, 'an idle database connection broke');
  });
  options.onPool?.(pool);
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    ...(names && { statementNameGenerator: ({ sql }) => names.of(sql) }),
    onConnectionError: (error) => logger.warn({ err: error }, 'a database connection broke during a transaction'),
  });
  // Other formats make every statement record a stack trace.
  return withDirectStatements(new PrismaClient({ adapter, errorFormat: 'minimal' }), pool, names);
}

function poolConfig(options: PrismaClientOptions): pg.PoolConfig {
  const { url, applicationName, maxConnections, limits, isPooled = false, onNotification, logger } = options;
  const { lockMs, statementMs, idleMs } = limits ?? defaultStatementLimits;
  const timeouts = {
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleMs,
  };
  const handlers = new Map([[auditCode, ({ detail }: CommittedMessage) => logAudited(logger, detail)]]);
  if (onNotification)
    handlers.set(notificationCode, ({ message: channel, detail: payload }) => onNotification({ channel, payload }));
  const client = hearingClient(handlers);
  const name = onNotification ? `${nodePrefix}${applicationName}` : applicationName;
  return {
    connectionString: url,
    application_name: name.slice(0, longestName),
    Client: isPooled ? transactionSettingClient(client, { ...sessionSettings, ...timeouts }) : settledClient(client),
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Longer than the server's timeout, because a statement that the server cancels is known to be rolled back.
    query_timeout: statementMs + 1_000,
    ...(isPooled ? {} : timeouts),
  };
}
