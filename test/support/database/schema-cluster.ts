/**
 * A PostgreSQL cluster with the schema, for tests that need a server or a data directory of their own: a copy of one that is
 * made once in a run, because initdb and the migrations take longer than many a test. What a first start makes of an empty
 * directory is tested where that is the point (`cli/serve.test.ts`, `cli/processes.test.ts`, `docs/docs-commands.test.ts`).
 */
import { execFile } from 'node:child_process';
import { access, chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject, vi } from 'vitest';
import { startEmbeddedServer } from '../../../src/database/embedded/server.js';
import { migrate } from '../../../src/database/migrations/migrate.js';
import { hasCode } from '../../../src/platform/files/system-error.js';
import { logger } from '../silent-logger.js';

let original: Promise<string> | undefined;

/** Puts a cluster with the schema and no rows into a data directory that has none; makes the directory where it is missing. */
export async function copySchemaCluster(dataDir: string): Promise<void> {
  original ??= findOriginal();
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  await promisify(execFile)('cp', ['-a', join(await original, 'postgres'), dataDir]);
}

/** The process that comes first makes it; the others wait. */
async function findOriginal(): Promise<string> {
  const dataDir = join(inject('testScratch'), 'schema');
  const made = `${dataDir}.made`;
  if (await isNew(dataDir)) {
    await makeOriginal(dataDir);
    await writeFile(made, '');
  }
  await vi.waitFor(() => access(made), { timeout: 100_000, interval: 50 });
  return dataDir;
}

async function isNew(directory: string): Promise<boolean> {
  try {
    await mkdir(directory);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function makeOriginal(dataDir: string): Promise<void> {
  await chmod(dataDir, 0o711);
  const server = await startEmbeddedServer({ dataDir, logger });
  try {
    await migrate({ url: server.url, logger });
  } finally {
    await server.stop();
  }
}
