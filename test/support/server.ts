import pg from 'pg';
import type { Prisma } from '../../prisma/generated/client/client.js';

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Runs statements on a database, one after the other, over a connection of their own. Returns the last one's rows. No
 * time limit applies, as it does to each statement of the service: filling a database takes long on a busy machine.
 */
export async function runSql(url: string, ...statements: (string | Prisma.Sql)[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'skein test kit' });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
