/**
 * What a session must have, whatever the server, the database and the role have as defaults. Prisma's adapter writes and reads
 * times without their offset, as UTC, and in the format of ISO; our statements name tables without their schema. So a server on
 * another time zone would shift every time, and one with another format of dates could not be read at all.
 */
import type pg from 'pg';
import type { ClientClass } from './transaction-settings.js';

/** Names and values are PostgreSQL's. Each may be set at any time, so that they can also travel with a transaction. */
export const sessionSettings = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  search_path: 'public',
} as const;

/** What only the start of a session can say: within a transaction it would come too late. */
const startSettings = { ...sessionSettings, default_transaction_isolation: 'read committed' };

/** The statement that gives them to a session that has begun. */
export const settleSession = `SELECT ${Object.entries(sessionSettings)
  .map(([name, value]) => `set_config('${name}', '${value}', false)`)
  .join(', ')}`;

/**
 * Creates a class of connections that ask for these settings when they begin, which costs no round trip and counts for more
 * than all defaults. A pooler refuses that: see `transaction-settings.ts`.
 */
export function settledClient(base: ClientClass): ClientClass {
  return class extends base {
    constructor(config?: pg.ClientConfig) {
      super(config);
      const connection = this.connection as pg.Connection & { startup(parameters: object): void };
      const startup = connection.startup.bind(connection);
      connection.startup = (parameters) => startup({ ...parameters, ...startSettings });
    }
  };
}
