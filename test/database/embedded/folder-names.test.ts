/** The data directory may have any name that a folder may have, except one with a line break. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runningPostmaster } from '../../../src/database/embedded/process/postmaster-pid.js';
import { command } from '../../cli/command.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { runSql } from '../../support/server.js';
import { startProgram, startServer, temporaryDirectory } from '../sandbox.js';

/** What is special to PostgreSQL's settings, to a shell, to a URL or to a command line; short, so that the sockets stay inside. */
const names = {
  'a comma, and spaces and quotes around it': ' my, "new"  data ',
  'a leading dash, and a comma at its end': '-D=data,',
  'what a shell reads': "it's$HOME;`id`&|<>*?[a]{b}(c)!#~",
  'what a URL reads': 'user:pass@host?a=b&c=d+e#f%20%d%',
  'emoji, a tab, and a backslash at its end': '数据 🧶\tдан\\n\\',
  '200 characters': 'd'.repeat(200),
} as const;

async function directoryNamed(name: string): Promise<string> {
  const directory = join(await temporaryDirectory(), name);
  await mkdir(directory, { mode: 0o711 });
  return directory;
}

describe('a data directory whose name has', () => {
  it.for(Object.entries(names))('%s is served, found again after a kill, and stopped', async ([, name]) => {
    const dataDir = await directoryNamed(name);
    await copySchemaCluster(dataDir);
    const service = await startProgram('serve.ts', [dataDir]);
    await runSql(service.result.url ?? '', 'CREATE TABLE note (text text)');
    await service.end('SIGKILL');
    const next = await startServer(dataDir);
    expect(await runSql(next.url, 'SELECT * FROM note')).toEqual([]);
    await next.stop();
    expect(await runningPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });

  it('all of it at once is made, migrated, backed up and restored by the commands', async () => {
    const dataDir = await directoryNamed(`all, of "it's" 100% \\ $HOME 🧶 = ${'long'.repeat(10)}`);
    expect(await command(['migrate'], { DATA_DIR: dataDir })).toMatchObject({ status: 0 });
    const file = join(dataDir, 'copy, of it');
    expect(await command(['backup', file], { DATA_DIR: dataDir })).toMatchObject({ status: 0 });
    const other = await directoryNamed('restored, "too"');
    expect(await command(['restore', file], { DATA_DIR: other })).toMatchObject({ status: 0 });
  });

  it('a line break is refused, and what to do is said', async () => {
    const dataDir = await directoryNamed('data\ndata');
    const { status, stderr } = await command(['migrate'], { DATA_DIR: dataDir });
    expect(status).toBe(1);
    expect(stderr).toContain(
      'has a line break in its path, which PostgreSQL cannot serve. Set DATA_DIR to another directory.',
    );
  });
});
