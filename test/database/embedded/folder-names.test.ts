/** The data directory may have any name that a folder may have, except one with a line break. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runningPostmaster } from '../../../src/database/embedded/process/postmaster-pid.js';
import { skein } from '../../cli/program.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { runSql } from '../../support/server.js';
import { startProgram, startServer, temporaryDirectory } from '../sandbox.js';

const names = {
  'a comma': 'Data, 2026',
  'a comma at its end': 'data,',
  spaces: ' my  data ',
  'double quotes': 'the "new" data"',
  'single quotes': "it's data",
  'a percent sign': '100%20data%d%',
  'a backslash': 'data\\n\\',
  'what a shell reads': '$HOME;`id`&|<>*?[a]{b}(c)!#~',
  'what a URL reads': 'user:pass@host/?a=b&c=d+e#f'.replaceAll('/', ':'),
  'an equals sign and a leading dash': '-D=data',
  emoji: '数据 🧶 данные',
  'a tab': 'data\tdata',
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
    expect(next.adopted).toBe(true);
    expect(await runSql(next.url, 'SELECT * FROM note')).toEqual([]);
    await next.stop();
    expect(await runningPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });

  it('all of it at once is made, migrated, backed up and restored by the program', async () => {
    const dataDir = await directoryNamed(`all, of "it's" 100% \\ $HOME 🧶 = ${'long'.repeat(10)}`);
    expect(await skein(['migrate'], { DATA_DIR: dataDir })).toMatchObject({ status: 0 });
    const file = join(dataDir, 'copy, of it');
    expect(await skein(['backup', file], { DATA_DIR: dataDir })).toMatchObject({ status: 0 });
    const other = await directoryNamed('restored, "too"');
    expect(await skein(['restore', file], { DATA_DIR: other })).toMatchObject({ status: 0 });
  });

  it('a line break is refused, and what to do is said', async () => {
    const dataDir = await directoryNamed('data\ndata');
    const { status, stderr } = await skein(['migrate'], { DATA_DIR: dataDir });
    expect(status).toBe(1);
    expect(stderr).toContain(
      'has a line break in its path, which PostgreSQL cannot serve. Set DATA_DIR to another directory.',
    );
  });
});
