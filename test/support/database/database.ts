import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { databaseUrl } from '../server.js';

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
  await maintain(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const drop = () => maintain(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url: databaseUrl(serverUrl, name), drop, [Symbol.asyncDispose]: drop };
}

let client: pg.Client | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs one statement after the other for all files of tests in a process: a connection for each costs a tenth of a small file. */
function maintain(serverUrl: string, statement: string): Promise<void> {
  const done = last.then(async () => {
    client ??= await connect(serverUrl);
    await client.query(statement);
  });
  last = done.catch(() => undefined);
  return done;
}

async function connect(connectionString: string): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString, application_name: 'skein test kit' });
  // Whoever ended it: the next statement goes over another one.
  connected.once('error', () => {
    client = undefined;
  });
  await connected.connect();
  return connected;
}
