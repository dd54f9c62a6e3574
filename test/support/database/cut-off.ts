/** The outage of one database, on a server that goes on. */
import { databaseUrl, runSql } from '../server.js';

/** The name of a session that survives the outage. */
export const observerName = 'skein observer';

/** Changes the database for whoever connects from now on, and cuts off whoever is connected. */
export async function alterDatabase(url: string, change: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await runSql(
    databaseUrl(url, 'postgres'),
    `ALTER DATABASE ${name} ${change}`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND application_name <> '${observerName}'`,
  );
}

/** Cuts off whoever is connected, and lets nobody connect until the returned function is called. */
export async function cutOff(url: string): Promise<() => Promise<void>> {
  await alterDatabase(url, 'ALLOW_CONNECTIONS false');
  const name = new URL(url).pathname.slice(1);
  return async () => {
    await runSql(databaseUrl(url, 'postgres'), `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  };
}
