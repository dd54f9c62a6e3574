/** The recipes of docs/operating.md that bring the embedded database to a moment, as they stand there. */
import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startEmbeddedServer } from '../../../src/database/embedded/server.js';
import { dataDirectory } from '../../cli/program.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { fenceWith } from '../../support/documents.js';
import { runSql } from '../../support/server.js';
import { logger } from '../../support/silent-logger.js';

let directory: Awaited<ReturnType<typeof dataDirectory>>;
beforeEach(async () => {
  directory = await dataDirectory();
});
afterEach(() => directory.remove());

/** Runs a recipe, found by some of its words. */
async function follow(words: string, variables: Record<string, string>): Promise<void> {
  const env = { PATH: process.env['PATH'], ...variables };
  await promisify(execFile)('bash', ['-e', '-c', fenceWith('docs/operating.md', { language: 'bash', words })], { env });
}

async function onServer<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const server = await startEmbeddedServer({ dataDir, logger });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

const namesSql = 'SELECT name FROM service_secret ORDER BY 1';

it('the embedded database is brought to a moment from a copy and the archive', async () => {
  const [before, after] = ['before', 'after'].map((name) => join(directory.path, name)) as [string, string];
  const [ARCHIVE, BASE] = ['archive', 'base'].map((name) => join(directory.path, name)) as [string, string];
  await copySchemaCluster(before);
  await follow('archive_command', { DATA_DIR: before, ARCHIVE, BASE });
  const moment = await onServer(before, async (url) => {
    await runSql(url, `INSERT INTO service_secret VALUES ('early', 'x')`);
    const [row] = await runSql(url, 'SELECT clock_timestamp()::text AS moment');
    await runSql(url, `INSERT INTO service_secret VALUES ('late', 'x')`);
    return (row as { moment: string }).moment;
  });
  expect(await readdir(ARCHIVE)).toContainEqual(expect.stringMatching(/^[0-9A-F]{24}$/));
  await rm(before, { recursive: true });

  await copySchemaCluster(after);
  await rm(join(after, 'postgres'), { recursive: true });
  await follow('recovery_target_time', { DATA_DIR: after, ARCHIVE, BASE, MOMENT: moment });
  await onServer(after, async (url) => {
    expect(await runSql(url, namesSql)).toEqual([{ name: 'early' }]);
    await runSql(url, `INSERT INTO service_secret VALUES ('new', 'x')`);
  });
  expect(await onServer(after, (url) => runSql(url, namesSql))).toEqual([{ name: 'early' }, { name: 'new' }]);
});
