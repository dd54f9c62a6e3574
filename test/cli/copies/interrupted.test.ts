/** Whatever ends a backup or a restore in the middle, there is no half of one: no file of that name, and no table. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readBackupFile } from '../../../src/database/backup/backup-file.js';
import { keptTables } from '../../../src/database/backup/tables.js';
import { countRows, stage } from '../../database/copies/sample.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { runSql } from '../../support/server.js';
import { command } from '../command.js';
import { type Finished, start } from '../program.js';

let source: TestDatabase;
let folder: string;
let whole: string;
let rows: number;
/** What a restore of it prints. */
let restored: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skein-copies-'));
  source = await createTestDatabase();
  await stage(source.url);
  rows = await countRows(source.url);
  restored = `Restored ${rows} rows of ${keptTables.length} tables.\n`;
  whole = join(folder, 'whole.skein');
  expect(await backup(whole)).toMatchObject({ status: 0 });
});
afterAll(async () => {
  await source.drop();
  await rm(folder, { recursive: true, force: true });
});

function backup(file: string): Promise<Finished> {
  return command(['backup', file], { DATABASE_URL: source.url });
}

function restore(file: string, { url }: TestDatabase): Promise<Finished> {
  return command(['restore', file], { DATABASE_URL: url });
}

function refusal(message: string | RegExp): object {
  return {
    status: 1,
    stdout: '',
    stderr: typeof message === 'string' ? `${message}\n` : expect.stringMatching(message),
  };
}

function tablesOf({ url }: TestDatabase): Promise<unknown[]> {
  return runSql(url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace");
}

/** What the copies of a database wait for, or do. */
function sessionsOf({ url }: TestDatabase): Promise<unknown[]> {
  const sql = `SELECT wait_event_type AS waits, split_part(query, ' ', 1) AS verb FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'skein backup'`;
  return runSql(url, sql);
}

async function untilGone(database: TestDatabase): Promise<void> {
  await vi.waitFor(async () => expect(await sessionsOf(database)).toEqual([]), { timeout: 20_000, interval: 50 });
}

/** Runs a backup into that file up to its last table, which it cannot read, and then `whatever`. */
async function withStuckBackup(
  file: string,
  whatever: (program: ReturnType<typeof start>) => Promise<void>,
): Promise<void> {
  const holder = new pg.Client({ connectionString: source.url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE thread_event IN ACCESS EXCLUSIVE MODE');
    const program = start(['backup', file], { DATABASE_URL: source.url });
    await vi.waitFor(async () => expect(await sessionsOf(source)).toEqual([{ waits: 'Lock', verb: 'COPY' }]), 30_000);
    await whatever(program);
    expect(await program.ended).not.toBe(0);
  } finally {
    await holder.end();
  }
  await untilGone(source);
}

describe('skein backup', () => {
  it('leaves no file of that name when it is killed', async () => {
    const file = join(folder, 'killed.skein');
    await withStuckBackup(file, async ({ child }) => {
      child.kill('SIGKILL');
    });
    await expect(access(file)).rejects.toThrow('ENOENT');
    expect(await backup(file)).toMatchObject({ status: 0 });
  });

  it('leaves nothing at all when it is asked to end', async () => {
    const file = join(folder, 'ended.skein');
    await withStuckBackup(file, async ({ child, ended }) => {
      await vi.waitFor(async () => expect((await readdir(folder)).join()).toContain('ended.skein'), 30_000);
      child.kill('SIGTERM');
      expect(await ended).toBe(1);
    });
    expect((await readdir(folder)).filter((name) => name.startsWith('ended'))).toEqual([]);
  });

  it('replaces no file, and writes none where it cannot', async () => {
    const taken = join(folder, 'taken.skein');
    await writeFile(taken, 'mine');
    const message = `${taken} exists already, and a backup replaces nothing. Choose another name, or remove that file.`;
    expect(await backup(taken)).toEqual(refusal(message));
    expect(await readFile(taken, 'utf8')).toBe('mine');
    const places = {
      ENOENT: join(folder, 'none', 'x.skein'),
      ENOTDIR: join(taken, 'x.skein'),
      ENAMETOOLONG: join(folder, 'x'.repeat(250)),
    };
    for (const [code, file] of Object.entries(places)) {
      const said = new RegExp(`^\\S+ cannot be written: ${code}: .* Choose another place\\.\n$`);
      expect(await backup(file)).toEqual(refusal(said));
    }
  });

  it('says that standard output is full, as every command does', async () => {
    const tokens = ['token', 'list', '--email', '1@acme.test'];
    const unsaid = await run(tokens, { DATABASE_URL: source.url }, '> /dev/full');
    expect(unsaid).toEqual(refusal(/^Standard output takes no more: ENOSPC[^\n]*\n$/));
    const full = await run(['backup', '-'], { DATABASE_URL: source.url }, '> /dev/full');
    expect(full).toEqual(refusal(/^Standard output takes no more: ENOSPC.* What was written is not a backup\.\n$/));
  });

  it('leaves nothing on a disk that is full, and says so', async ({ skip }) => {
    const disk = join(folder, 'disk');
    const mounted = await run([], {}, '', `mkdir ${disk} && mount -t tmpfs -o size=64k tmpfs ${disk}`);
    if (mounted.status !== 0) skip('This account cannot mount a file system.');
    try {
      await using large = await createTestDatabase();
      // Random, so that it does not shrink.
      await runSql(
        large.url,
        `INSERT INTO service_secret SELECT n::text, gen_random_uuid()::text FROM generate_series(1, 20000) AS n`,
      );
      const file = join(disk, 'full.skein');
      const finished = await command(['backup', file], { DATABASE_URL: large.url });
      expect(finished).toEqual(refusal(/full\.skein cannot be written: ENOSPC.* Nothing is left of it\./));
      expect(await readdir(disk)).toEqual([]);
    } finally {
      await run([], {}, '', `umount ${disk}`);
    }
  });
});

describe('skein restore', () => {
  it('leaves nothing when it is killed, and works the next time', async () => {
    await using target = await createEmptyDatabase();
    const child = await halfway(target);
    child.kill('SIGKILL');
    await untilGone(target);
    expect(await tablesOf(target)).toEqual([]);
    expect(await restore(whole, target)).toMatchObject({ status: 0, stdout: restored });
  });

  it.each<[when: string, end: (child: ChildProcessWithoutNullStreams) => unknown, said: RegExp]>([
    ['when it is asked to end', (child) => child.kill('SIGTERM'), /^It was stopped, and nothing was changed\.\n$/],
    [
      'of standard input that ends too early',
      (child) => child.stdin.end(),
      /^The backup is damaged: unexpected end of file/,
    ],
  ])('leaves nothing %s', async (_when, end, said) => {
    await using target = await createEmptyDatabase();
    const child = await halfway(target);
    end(child);
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(said) });
    await untilGone(target);
    expect(await tablesOf(target)).toEqual([]);
  });

  it('takes what a backup writes to standard output', async () => {
    await using target = await createEmptyDatabase();
    const piped = await run(
      ['backup', '-'],
      { DATABASE_URL: source.url },
      `| DATABASE_URL='${target.url}' ${program} restore -`,
    );
    expect(piped).toEqual({ status: 0, stdout: restored, stderr: '' });
  });

  it('refuses a file that is damaged before it opens the database', async () => {
    const content = await readFile(whole);
    const nowhere = { DATABASE_URL: 'postgresql://localhost:1/none' };
    const short = join(folder, 'short.skein');
    for (const length of [0, 1, 100, content.length >> 1, content.length - 1]) {
      await writeFile(short, content.subarray(0, length));
      expect(await command(['restore', short], nowhere)).toEqual(
        refusal(/^(The backup is damaged|This is not a backup of Skein)/),
      );
    }
    const wrong = Buffer.from(content);
    wrong[content.length >> 1] = (wrong[content.length >> 1] ?? 0) ^ 0xff;
    await writeFile(short, wrong);
    expect(await command(['restore', short], nowhere)).toEqual(refusal(/is damaged/));
    expect(await command(['restore', join(folder, 'none')], nowhere)).toEqual(refusal(/none cannot be read: ENOENT/));
    expect(await command(['restore', folder], nowhere)).toEqual(refusal(/cannot be read: EISDIR/));
    expect(await command(['restore', join(short, 'x')], nowhere)).toEqual(
      refusal(/^\S+ cannot be read: ENOTDIR: .*\n$/),
    );
    expect(await command(['restore', 'x'.repeat(300)], nowhere)).toEqual(
      refusal(/^\S+ cannot be read: ENAMETOOLONG: .*\n$/),
    );
  });

  it('checks a file without a database', async () => {
    const nowhere = { DATABASE_URL: 'postgresql://localhost:1/none' };
    const { stdout, ...rest } = await command(['restore', '--check', whole], nowhere);
    expect(rest).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^\S+whole\.skein: \d+ rows, taken at 20\S+ by Skein \d+\.\d+\.\d+, whole\n$/);
    expect(stdout).toContain(` ${rows} rows`);
  });
});

const program = `${process.execPath} scripts/launch.mjs`;

/** A command line of the shell: the program with these words, and what follows; or only `line`. */
async function run(words: string[], variables: Record<string, string>, rest: string, line?: string): Promise<Finished> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables };
  const shell = spawn('bash', ['-o', 'pipefail', '-c', line ?? `${program} ${words.join(' ')} ${rest}`], { env });
  shell.stdin.end();
  const [stdout, stderr, [status]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
  return { status: status as number | null, stdout, stderr };
}

/** A restore from standard input, of which half has come and been loaded. By gzip, which can be read as it comes. */
async function halfway({ url }: TestDatabase): Promise<ChildProcessWithoutNullStreams> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: url };
  const child = spawn(process.execPath, ['scripts/launch.mjs', 'restore', '-'], { env });
  const content = gzipSync(await buffer(readBackupFile(whole)));
  child.stdin.write(content.subarray(0, content.length - 400));
  await vi.waitFor(async () => {
    const found = await runSql(
      url,
      `SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(found.length).toBeGreaterThan(16);
  }, 20_000);
  return child;
}
