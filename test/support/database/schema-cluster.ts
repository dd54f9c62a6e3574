/**
 * A PostgreSQL cluster with the schema, for tests that need a server or a data directory of their own: a copy of one that each
 * process of the tests makes once, because initdb and the migrations take longer than many a test. What a first start makes
 * of an empty directory is tested where that is the point (`cli/serve.test.ts`, `npm-start.test.ts`, `readme.test.ts`).
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { inject } from 'vitest';
import { startEmbeddedServer } from '../../../src/database/embedded/server.js';
import { migrate } from '../../../src/database/migrations/migrate.js';

const silent = pino({ level: 'silent' });

let original: Promise<string> | undefined;

/** Puts a cluster with the schema and no rows into a data directory that has none; makes the directory where it is missing. */
export async function copySchemaCluster(dataDir: string): Promise<void> {
  original ??= makeOriginal();
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  await promisify(execFile)('cp', ['-a', join(await original, 'postgres'), dataDir]);
}

async function makeOriginal(): Promise<string> {
  const dataDir = await mkdtemp(join(inject('testScratch'), 'schema-'));
  await chmod(dataDir, 0o711);
  const server = await startEmbeddedServer({ dataDir, logger: silent });
  try {
    await migrate({ url: server.url, logger: silent });
  } finally {
    await server.stop();
  }
  return dataDir;
}
