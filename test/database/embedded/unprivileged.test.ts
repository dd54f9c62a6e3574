import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseDataDirectory, prepareDataDirectory } from '../../../src/database/embedded/data-directory.js';
import { runningPostmaster } from '../../../src/database/embedded/process/postmaster-pid.js';
import { closedFolder, parseAccounts, preferredAccount } from '../../../src/database/embedded/process/unprivileged.js';
import { copySchemaCluster } from '../../support/database/schema-cluster.js';
import { runSql } from '../../support/server.js';
import { logger } from '../../support/silent-logger.js';
import { isRoot, nobody, serveAs, startServer, temporaryDirectory } from '../sandbox.js';

const root = 'root:x:0:0:root:/root:/bin/bash';
const passwd = [
  root,
  'daemon:x:1:1::/:/bin/false',
  'nobody:x:65534:65534::/:/bin/false',
  'postgres:x:101:104::/:/bin/sh',
];

async function ownerOf(path: string): Promise<number> {
  return (await stat(path)).uid;
}

describe('the account of the database', () => {
  it('is postgres, else nobody, else the first that is not root', () => {
    expect(preferredAccount(passwd.join('\n')).name).toBe('postgres');
    expect(preferredAccount(passwd.slice(0, 3).join('\n')).name).toBe('nobody');
    expect(preferredAccount([root, 'ann:x:1000:1000::/home/ann:/bin/sh'].join('\n')).name).toBe('ann');
    expect(() => preferredAccount(root)).toThrow(/lists no other account.*run Skein as an ordinary user/s);
  });

  it('is read from a file with comments, empty lines and network entries', () => {
    expect(parseAccounts('# local\n\n+::::::\nann:x:1000:100::/home/ann:/bin/sh\n')).toEqual([
      { name: 'ann', uid: 1000, gid: 100 },
    ]);
  });

  it.skipIf(!isRoot)('can only reach a path through folders that are open to it', async () => {
    const account = { name: 'ann', uid: 54321, gid: 54321 };
    const directory = await temporaryDirectory();
    const closed = join(directory, 'closed');
    await mkdir(join(closed, 'data'), { recursive: true });
    expect(await closedFolder(join(closed, 'data', 'not-yet-there'), account)).toBeUndefined();
    await chmod(closed, 0o700);
    expect(await closedFolder(join(closed, 'data'), account)).toBe(closed);
    await chmod(closed, 0o610);
    expect(await closedFolder(join(closed, 'data'), { ...account, gid: (await stat(closed)).gid })).toBeUndefined();
  });
});

describe.skipIf(!isRoot)('run by root, the database', () => {
  it('runs under an account without rights, which owns its files', async () => {
    const dataDir = await temporaryDirectory();
    await startServer(dataDir);
    const running = await runningPostmaster(join(dataDir, 'postgres'));
    const uid = await ownerOf(`/proc/${running?.pid}`);
    expect(uid).not.toBe(0);
    expect(await ownerOf(join(dataDir, 'postgres'))).toBe(uid);
    expect((await stat(join(dataDir, 'run'))).mode & 0o777).toBe(0o700);
  });

  it('is kept elsewhere if its account cannot reach the checkout, and stays there', async () => {
    const directory = await temporaryDirectory();
    const closed = join(directory, 'root');
    await mkdir(closed, { mode: 0o700 });
    const options = { fallback: join(closed, 'skein', '.data'), systemDir: join(directory, 'lib'), logger };
    const elsewhere = await chooseDataDirectory(options);
    expect(elsewhere.startsWith(join(directory, 'lib'))).toBe(true);
    await copySchemaCluster(elsewhere);
    await (await startServer(elsewhere)).stop();

    await chmod(closed, 0o755);
    expect(await chooseDataDirectory(options)).toBe(elsewhere);
    expect(await chooseDataDirectory({ ...options, configured: '/srv/skein' })).toBe('/srv/skein');
  });

  it('is never moved out of a configured directory: it refuses, and says what to set', async () => {
    const directory = await temporaryDirectory();
    const closed = join(directory, 'root');
    await mkdir(closed, { mode: 0o700 });
    await expect(prepareDataDirectory(join(closed, 'data'))).rejects.toThrow(
      `cannot reach ${closed}/data, because ${closed} is closed to it. Set DATA_DIR to a directory that it can reach`,
    );
  });
});

describe.skipIf(!isRoot)('run by an ordinary user, the database', () => {
  it('runs under that user, in a directory that is closed to everybody else, and refuses what is not theirs; root then keeps the owner, and takes over what root restored', async () => {
    const dataDir = join(await temporaryDirectory(nobody), 'data');
    const [ofAnother, closed] = [await temporaryDirectory(nobody), join(await temporaryDirectory(), 'data')];
    const shut = await temporaryDirectory();
    await chmod(shut, 0o700);
    await mkdir(join(ofAnother, 'postgres'));
    await writeFile(join(ofAnother, 'postgres', 'PG_VERSION'), '18\n');
    const service = await serveAs(nobody, [dataDir, ofAnother, closed, shut]);
    const [served, ...refused] = service.result.outcomes ?? [];
    expect(refused.map(({ error }) => error)).toEqual([
      expect.stringMatching(/belongs to the account with the number 0.*chown -R/s),
      expect.stringMatching(/cannot be created: .*Set DATA_DIR to a directory that this account may write to/s),
      expect.stringMatching(/is closed to this account\. Run Skein as the account that owns it.*set DATA_DIR/s),
    ]);
    expect(served?.error).toBeUndefined();
    expect(await runSql(served?.url ?? '', 'SELECT current_user')).toEqual([{ current_user: 'skein' }]);
    const running = await runningPostmaster(join(dataDir, 'postgres'));
    expect(await ownerOf(`/proc/${running?.pid}`)).toBe(nobody.uid);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    await service.end('SIGTERM');

    const server = await startServer(dataDir);
    expect(await ownerOf(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(nobody.uid);
    await server.stop();

    await chown(join(dataDir, 'postgres'), 0, 0);
    await chown(join(dataDir, 'postgres', 'PG_VERSION'), 0, 0);
    const restored = await startServer(dataDir);
    expect(await runSql(restored.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await ownerOf(join(dataDir, 'postgres', 'PG_VERSION'))).not.toBe(0);
  });
});
