import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { databaseUrl, runSql } from '../server.js';

export interface TestDatabase {
  url: string;
  /** Drops it, whoever is still connected. */
  drop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A database of its own for a test file (or a test), with the schema and no rows. Cloning the migrated one takes some 30 ms. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`${inject('testTemplate')} STRATEGY FILE_COPY`);
}

/** A database without any table. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

/** A database made with these words after `CREATE DATABASE name TEMPLATE`. */
export async function createDatabase(template: string): Promise<TestDatabase> {
  const serverUrl = inject('testServerUrl');
  const name = `skein_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await runSql(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const drop = async () => {
    await runSql(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { url: databaseUrl(serverUrl, name), drop, [Symbol.asyncDispose]: drop };
}
