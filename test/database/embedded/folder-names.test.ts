/** The data directory may have any name that a folder may have, except one with a line break. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runningPostmaster } from '../../../src/database/embedded/process/postmaster-pid.js';
import { command } from '../../cli/command.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { runSql } from '../../support/server.js';
import { startProgram, startServer, temporaryDirectory } from '../sandbox.js';

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
