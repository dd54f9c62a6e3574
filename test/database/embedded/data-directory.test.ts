/** Where the data directory may be: a file system that can hold a database, and any name; the others are refused at the start. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasCluster, prepareDataDirectory } from '../../../src/database/embedded/data-directory.js';
import { checkFileSystem, systemCalls } from '../../../src/database/embedded/file-system.js';
import { runningPostmaster } from '../../../src/database/embedded/process/postmaster-pid.js';
import { command } from '../../cli/command.js';
import { skein } from '../../cli/program.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { runSql } from '../../support/server.js';
import { startProgram, startServer, temporaryDirectory } from '../sandbox.js';
import { canMount, mountNote, mountTmpfs } from './tmpfs.js';

const advice = /cannot hold a database: .*Set DATA_DIR to a directory on another file system, or DATABASE_URL/s;

/** The system's calls, but for one that fails as on a file system that does not know it. */
function without(name: keyof typeof systemCalls, code: string): typeof systemCalls {
  const refuse = () => Promise.reject(Object.assign(new Error(`${code}: operation not permitted`), { code }));
  return { ...systemCalls, [name]: refuse };
}

describe('a file system is refused, and nothing is left on it,', () => {
  it.each([
    ['that keeps no permissions', { ...systemCalls, chmod: async () => undefined }, /does not keep permissions \(700/],
    ['that forbids changing permissions', without('chmod', 'EPERM'), /EPERM/],
    ['that forbids renaming', without('rename', 'ENOSYS'), /ENOSYS/],
    ['that is read only', without('mkdir', 'EROFS'), /EROFS/],
  ])('%s', async (_what, calls, reason) => {
    const directory = await temporaryDirectory();
    const checked = checkFileSystem(directory, undefined, calls);
    await expect(checked).rejects.toThrow(advice);
    await expect(checked).rejects.toThrow(reason);
    expect(await readdir(directory)).toEqual([]);
  });

  it('that keeps no owners, where PostgreSQL runs under an account of its own', async () => {
    const account = { name: 'somebody', uid: 1, gid: 1 };
    const checked = checkFileSystem(await temporaryDirectory(), account, without('chown', 'EPERM'));
    await expect(checked).rejects.toThrow(advice);
  });

  it.skipIf(!canMount)(`that is mounted to be read only, by the program too, in one line${mountNote}`, async () => {
    const directory = await mountTmpfs('size=1m,ro');
    await expect(prepareDataDirectory(directory)).rejects.toThrow(/The data directory .* Set DATA_DIR to a directory/);
    const { status, stderr } = await skein(['serve'], { DATA_DIR: join(directory, 'data'), PORT: '0' });
    expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(JSON.parse(stderr).msg).toMatch(/The data directory .* Set DATA_DIR to a directory/);
  });
});

describe('a path that is no place for a directory is refused at once,', () => {
  const long = 'x'.repeat(300);
  it.each([
    // Node's recursive mkdir never ends there.
    ['where no folder can be made', '/proc/skein/data', /ENOENT/],
    ['that goes through a file', join(process.execPath, 'data'), /ENOTDIR|EEXIST/],
    ['that is the name of a file', process.execPath, /a file has this name/],
    ['that is too long', join('/', long), /ENAMETOOLONG/],
  ])('%s', async (_what, path, reason) => {
    const prepared = prepareDataDirectory(path);
    await expect(prepared).rejects.toThrow(reason);
    await expect(prepared).rejects.toThrow(/^The data directory .* cannot be created: .* Set DATA_DIR to a directory/);
    expect(await hasCluster(path)).toBe(false);
  });
});

it('an ordinary directory is taken, as it is and however often', async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, 'data'));
  await chmod(join(directory, 'data'), 0o711);
  onTestFinished(() => chmod(join(directory, 'data'), 0o711));
  for (const _ of [1, 2]) await prepareDataDirectory(join(directory, 'data'));
  expect([await readdir(join(directory, 'data')), (await stat(join(directory, 'data'))).mode & 0o777]).toEqual([
    [],
    0o711,
  ]);
});

it.skipIf(spawnSync('id', ['-u']).stdout.toString().trim() !== '0')('an account keeps what it owns', async () => {
  await expect(checkFileSystem(await temporaryDirectory(), { name: 'nobody', uid: 65_534, gid: 65_534 })).resolves.toBe(
    undefined,
  );
});

/**
 * What is special to PostgreSQL's settings, to a shell, to a URL or to a command line, with a space, a dash or a letter of another script
 * at the beginning, and a space, a comma or a backslash at the end; short, so that the sockets stay inside.
 */
const names = [
  ` my, "new"  data; it's$HOME;\`id\`&|<>*?[a]{b}(c)!#~ `,
  '-D=user:pass@host?a=b&c=d+e#f%20%d%,',
  '数据 🧶\tдан\\n\\',
  'd'.repeat(200),
];

async function directoryNamed(name: string): Promise<string> {
  const directory = join(await temporaryDirectory(), name);
  await mkdir(directory, { mode: 0o711 });
  return directory;
}

describe('a data directory', () => {
  it('of a name with signs that mean something elsewhere, or of 200 characters, is served, found again after a kill, and stopped', async () => {
    const dataDirs = await Promise.all(names.map(directoryNamed));
    for (const dataDir of dataDirs) await copySchemaCluster(dataDir);
    const service = await startProgram('serve.ts', dataDirs);
    const { outcomes = [] } = service.result;
    expect(outcomes.flatMap(({ error = [] }) => error)).toEqual([]);
    for (const [index, { url = '' }] of outcomes.entries()) {
      await runSql(url, 'CREATE TABLE note (text text)', `INSERT INTO note VALUES ('${index}')`);
    }
    await service.end('SIGKILL');
    for (const [index, dataDir] of dataDirs.entries()) {
      const next = await startServer(dataDir);
      expect(await runSql(next.url, 'SELECT * FROM note'), dataDir).toEqual([{ text: String(index) }]);
      await next.stop();
      expect(await runningPostmaster(join(dataDir, 'postgres')), dataDir).toBeUndefined();
    }
  });

  it('of a name with all of it at once is migrated, backed up, made and restored by the commands', async () => {
    const name = `all, of "it's" 100% \\ $HOME 🧶 = ${'long'.repeat(10)}`;
    const [dataDir, other] = [await directoryNamed(name), await directoryNamed(name)];
    await copySchemaCluster(dataDir);
    expect(await command(['migrate'], { DATA_DIR: dataDir })).toMatchObject({ status: 0 });
    const file = join(dataDir, 'copy, of it');
    expect(await command(['backup', file], { DATA_DIR: dataDir })).toMatchObject({ status: 0 });
    expect(await command(['restore', file], { DATA_DIR: other })).toMatchObject({ status: 0 });
  });

  it('of a name with a line break is refused, and what to do is said', async () => {
    const dataDir = await directoryNamed('data\ndata');
    const { status, stderr } = await command(['migrate'], { DATA_DIR: dataDir });
    expect(status).toBe(1);
    expect(stderr).toContain(
      'has a line break in its path, which PostgreSQL cannot serve. Set DATA_DIR to another directory.',
    );
  });
});
