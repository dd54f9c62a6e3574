/**
 * A connection for a statement that takes long: no time limit of the server's or the role's ends it, and it prints values in the
 * same way whatever is configured.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import { withinMs } from '../../platform/async/time-limit.js';
import { explainConnection } from '../connection-error.js';
import { type DirectClient, directClient, leadsToPooler } from '../direct-client.js';
import { settleSession } from '../session-settings.js';
import { BackupError } from './backup-error.js';

export interface Session extends AsyncDisposable {
  client: pg.Client;
}

const lockLimitMs = 120_000;

export interface SessionOptions {
  url: string;
  /** Whether the URL was given as a direct one. Otherwise one that leads to a pooler is refused. Default: false. */
  isDirect?: boolean | undefined;
  /** Breaks the connection, whatever is waited for. */
  signal?: AbortSignal | undefined;
}

export async function openSession({ url, isDirect = false, signal }: SessionOptions): Promise<Session> {
  const socket = new Socket();
  const client = directClient({ url, applicationName: 'skein backup', socket });
  const abort = () => socket.destroy();
  signal?.addEventListener('abort', abort);
  const close = async () => {
    signal?.removeEventListener('abort', abort);
    await withinMs(500, client.end());
    socket.destroy();
  };
  try {
    await client.connect();
    if (!isDirect) await refusePooler(client);
    await client.query(settleSession);
    await client.query(settingsSql);
  } catch (error) {
    await close();
    throw explainConnection(error, client);
  }
  return { client, [Symbol.asyncDispose]: close };
}

/** A pooler would give the lock that keeps migrations away to whoever has the connection next, and nobody would release it. */
async function refusePooler(client: DirectClient): Promise<void> {
  if (!(await leadsToPooler(client))) return;
  throw new BackupError(
    'The URL of the database leads to a connection pooler, and a copy needs a session of the server itself. Set DIRECT_DATABASE_URL ' +
      'to the address of the server.',
  );
}

/** Names are those of the server at hand: PostgreSQL 15 has no `transaction_timeout`. */
const settingsSql = `SELECT set_config(name, value, false) FROM (VALUES
    ('statement_timeout', '0'), ('transaction_timeout', '0'), ('idle_in_transaction_session_timeout', '0'),
    ('idle_session_timeout', '0'), ('lock_timeout', '${lockLimitMs}'), ('client_encoding', 'UTF8'), ('extra_float_digits', '3'),
    ('synchronize_seqscans', 'off'), ('row_security', 'off')) AS wanted (name, value)
  WHERE EXISTS (SELECT FROM pg_settings WHERE lower(pg_settings.name) = wanted.name)`;

/** An error of the database during the work, as one that says what was not done. Any other error is returned as it is. */
export function explainDatabaseError(error: unknown, failed: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return new BackupError('It was stopped, and nothing was changed.', { cause: error });
  if (!(error instanceof pg.DatabaseError)) return error;
  return new BackupError(`${failed}: ${error.message}`, { cause: error });
}

export async function rowsOf<Row extends pg.QueryResultRow>(
  client: pg.Client,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await client.query<Row>(sql, values)).rows;
}
