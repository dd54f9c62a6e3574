import { setTimeout as sleep } from 'node:timers/promises';
import { runSql } from '../../support/server.js';

/** Resolves when no response of the database is waiting or under way. */
export async function idle(databaseUrl: string): Promise<void> {
  const busy = "SELECT 1 FROM thread WHERE state IN ('waiting', 'active') LIMIT 1";
  while ((await runSql(databaseUrl, busy)).length > 0) await sleep(20);
}
