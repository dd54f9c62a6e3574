import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmbeddedServer } from '../../../src/database/embedded/server.js';
import { directoryWithCluster, silent, temporaryDirectory } from '../sandbox.js';

describe('the embedded database refuses, and says what to do,', () => {
  it('a cluster of another major version', async () => {
    const dataDir = await directoryWithCluster();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '14\n');
    const start = startEmbeddedServer({ dataDir, logger: silent });
    await expect(start).rejects.toThrow(/was made by PostgreSQL 14, and this is PostgreSQL \d+.*set PG_BIN_DIR/s);
    expect(await readdir(join(dataDir, 'lock'))).toEqual([]);
  });

  it('a directory that is not a cluster', async () => {
    const dataDir = await temporaryDirectory();
    await mkdir(join(dataDir, 'postgres'));
    await writeFile(join(dataDir, 'postgres', 'precious'), 'data');
    const start = startEmbeddedServer({ dataDir, logger: silent });
    await expect(start).rejects.toThrow(/is not a PostgreSQL cluster: PG_VERSION is missing/);
    expect(await readFile(join(dataDir, 'postgres', 'precious'), 'utf8')).toBe('data');
  });

  it('a database whose server is out of sight, as in another container', async () => {
    const dataDir = await directoryWithCluster();
    await mkdir(join(dataDir, 'run'));
    const foreign = createServer().listen(join(dataDir, 'run', '.s.PGSQL.5432'));
    await once(foreign, 'listening');
    onTestFinished(() => void foreign.close());
    await expect(startEmbeddedServer({ dataDir, logger: silent })).rejects.toThrow(/probably another container/);
  });

  it('files that a setting makes unusable, with the last words of PostgreSQL', async () => {
    const dataDir = await directoryWithCluster();
    await writeFile(join(dataDir, 'postgres', 'postgresql.auto.conf'), 'no_such_setting = on\n');
    const start = startEmbeddedServer({ dataDir, logger: silent });
    await expect(start).rejects.toThrow(/did not start on .*unrecognized configuration parameter "no_such_setting"/s);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });
});
