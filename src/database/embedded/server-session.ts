/**
 * The first connection to a server that was started or adopted: it makes the database where that is missing, and proves that
 * a commit is on the disk when it returns. A server without that (one started by hand with fsync off) is refused.
 */
import pg from 'pg';
import { databaseRole } from './cluster.js';
import { socketPort } from './socket-directory.js';
import { DatabaseStartError } from './start-error.js';

/** How to reach the server over its socket; for `pg` and for everything that takes its options. */
export interface ConnectionOptions {
  /** The directory of the socket. */
  host: string;
  port: number;
  user: string;
  database: string;
}

export function connectionTo(socketDir: string, database: string = databaseRole): ConnectionOptions {
  return { host: socketDir, port: socketPort, user: databaseRole, database };
}

/** The same as a URL, in the form that `pg` and Prisma read. */
export function connectionUrl({ host, port, user, database }: ConnectionOptions): string {
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/**
 * Makes the database where it is missing and checks the server's settings. `durable` is what they ought to be. Returns
 * how many connections the server takes.
 */
export async function openDatabase(socketDir: string, durable: boolean): Promise<number> {
  const client = new pg.Client({ ...connectionTo(socketDir, 'postgres'), connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const lacking = await client.query<{ name: string }>(
      "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting <> 'on'",
    );
    if (durable && lacking.rows.length > 0) throw notDurable(lacking.rows.map(({ name }) => name));
    const existing = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseRole]);
    if (existing.rows.length === 0) await client.query(`CREATE DATABASE ${databaseRole}`);
    const { rows } = await client.query<{ most: number }>("SELECT current_setting('max_connections')::int AS most");
    return rows[0]?.most ?? 0;
  } finally {
    await client.end();
  }
}

function notDurable(settings: string[]): DatabaseStartError {
  return new DatabaseStartError(
    `The PostgreSQL that runs has ${settings.join(' and ')} off: a loss of power would destroy data. ` +
      'Stop that server, then start Skein again, which starts its own.',
  );
}
