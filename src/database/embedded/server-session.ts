import pg from 'pg';
import { socketPort } from './socket-directory.js';

/** The role that owns everything, and the name of the database. */
export const databaseRole = 'skein';

/** How to reach the server over its socket, without encryption, whatever PGSSLMODE says; for `pg` and for everything that takes its options. */
export function connectionTo(socketDir: string, database: string = databaseRole) {
  return { host: socketDir, port: socketPort, user: databaseRole, database, ssl: false };
}

/** The same as a URL, in the form that `pg` and Prisma read. */
export function connectionUrl({ host, port, user, database }: ReturnType<typeof connectionTo>): string {
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}&sslmode=disable`;
}

/** Makes the database where it is missing. */
export async function createDatabase(socketDir: string): Promise<void> {
  const client = new pg.Client({ ...connectionTo(socketDir, 'postgres'), connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const existing = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseRole]);
    if (existing.rows.length === 0) await client.query(`CREATE DATABASE ${databaseRole}`);
  } finally {
    await client.end();
  }
}
