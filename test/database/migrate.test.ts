import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Migration, readMigrations } from '../../src/database/migrations/folder.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { createDatabase, createEmptyDatabase } from '../support/database/database.js';
import { runSql } from '../support/server.js';
import { logger } from '../support/silent-logger.js';
import { migrationList, noFilters, withSchemaEngine } from './schema-engine.js';

const it = test.extend('url', () => emptyDatabase());

const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename";

/** A folder of migrations, by name. */
async function folderOf(migrations: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'skein-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'migration.sql'), sql);
  }
  return folder;
}

async function emptyDatabase(): Promise<string> {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  return database.url;
}

/** A logger whose lines are kept. */
function listening(level: string) {
  const lines: unknown[] = [];
  return { lines, logger: pino({ level }, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

describe('migrate', () => {
  it('logs the migrations of a new database in one line, and each of an upgrade', async ({ url }) => {
    const { logger, lines } = listening('info');
    const old = { '1_old': 'SELECT 1;', '2_old': 'SELECT 1;' };
    await migrate({ url, logger, folder: await folderOf(old) });
    await migrate({ url, logger, folder: await folderOf({ ...old, '3_new': 'SELECT 1;', '4_new': 'SELECT 1;' }) });
    const said = [{ migrations: 2 }, { migration: '3_new' }, { migration: '4_new' }];
    expect(lines).toEqual(said.map((line) => expect.objectContaining(line)));
  });

  it('applies every migration of Skein once, in order, and then finds nothing to do', async ({ url }) => {
    const names = (await readMigrations()).map(({ name }) => name);
    expect(await migrate({ url, logger })).toEqual(names);
    expect(await migrate({ url, logger })).toEqual([]);
    expect(
      await runSql(
        url,
        'SELECT migration_name, finished_at IS NOT NULL AS done FROM _prisma_migrations ORDER BY migration_name',
      ),
    ).toEqual(names.map((name) => ({ migration_name: name, done: true })));
  });

  it('undoes a migration that fails as a whole, names it, and applies it once it is corrected', async ({ url }) => {
    const good = { '1_good': 'CREATE TABLE good ();' };
    const broken = await folderOf({ ...good, '2_second': 'CREATE TABLE second (); SELECT 1 / 0;' });
    await expect(migrate({ url, logger, folder: broken })).rejects.toThrow(
      /The migration 2_second failed and was rolled back: .*division by zero/s,
    );
    expect(await runSql(url, tables)).toEqual([{ tablename: '_prisma_migrations' }, { tablename: 'good' }]);

    const corrected = await folderOf({ ...good, '2_second': 'CREATE TABLE second ();' });
    expect(await migrate({ url, logger, folder: corrected })).toEqual(['2_second']);
  });

  it('says what to do if its user may create nothing in the database, and if that has the tables of another program', async () => {
    const url = await emptyDatabase();
    const user = `skein_${randomUUID().replaceAll('-', '')}`;
    await runSql(url, `CREATE ROLE ${user} LOGIN`);
    onTestFinished(() => runSql(url, `DROP ROLE ${user}`).then(() => undefined));
    const theirs = new URL(url);
    theirs.username = user;
    await expect(migrate({ url: theirs.href, logger })).rejects.toThrow(/denied.* the owner of the database/);
    await runSql(url, 'CREATE TABLE thread ()');
    await expect(migrate({ url, logger })).rejects.toThrow(/already exists.* belong to another program/);
  });

  it('leaves nothing behind when its connection breaks midway, and works the next time', async ({ url }) => {
    const slow = await folderOf({ '1_slow': 'CREATE TABLE slow (); SELECT pg_sleep(60);' });
    const interrupted = expect(migrate({ url, logger, folder: slow })).rejects.toThrow(/1_slow failed/);
    const kill =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
    await vi.waitFor(async () => expect(await runSql(url, kill)).toHaveLength(1), { interval: 20, timeout: 30_000 });
    await interrupted;
    expect(await runSql(url, tables)).toEqual([]);

    expect(await migrate({ url, logger, folder: await folderOf({ '1_slow': 'CREATE TABLE slow ();' }) })).toEqual([
      '1_slow',
    ]);
  });

  it('tries again when a statement and the migration waited for each other', async ({ url }) => {
    await runSql(url, 'CREATE TABLE first (); CREATE TABLE second ()');
    const name = new URL(url).pathname.slice(1);
    // Time enough to close the circle, whatever the machine is doing: whoever has waited so long first is ended.
    await runSql(url, `ALTER DATABASE "${name}" SET deadlock_timeout = '3s'`);
    const folder = await folderOf({ '1_both': 'ALTER TABLE first ADD a INT; ALTER TABLE second ADD b INT' });
    const other = new pg.Client(url);
    await other.connect();
    await other.query(`SET deadlock_timeout = '60s'`);
    await other.query('BEGIN; SELECT FROM second');
    const migrated = migrate({ url, logger, folder });
    const waits = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await vi.waitFor(async () => expect(await runSql(url, waits)).toHaveLength(1), { interval: 20, timeout: 30_000 });
    await other.query('SELECT FROM first');
    await other.query('COMMIT');
    await other.end();
    expect(await migrated).toEqual(['1_both']);
    await runSql(url, 'SELECT a, b FROM first, second');
  });

  it('waits for another process that migrates, but not for ever', async ({ url }) => {
    // The migration takes for as long as this one has the lock.
    const holder = new pg.Client({ connectionString: url });
    onTestFinished(() => holder.end());
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(1)');
    const folder = await folderOf({ '1_slow': 'SELECT pg_advisory_xact_lock(1);' });
    const waiting =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' ORDER BY pid";
    const areWaiting = (count: number) =>
      vi.waitFor(async () => expect(await runSql(url, waiting)).toHaveLength(count), { interval: 20, timeout: 30_000 });
    const slow = migrate({ url, logger, folder });
    await areWaiting(1);
    await expect(migrate({ url, logger, folder, lockLimitMs: 50 })).rejects.toThrow(/Another process is migrating/);
    const patient = migrate({ url, logger, folder });
    await areWaiting(2);
    await holder.end();
    expect(await slow).toEqual(['1_slow']);
    expect(await patient).toEqual([]);
  });
});

/** What Prisma's own engine applies, as its command line and earlier versions of Skein did. */
async function migrateWithPrisma(url: string, migrations: readonly Migration[]): Promise<string[]> {
  const connection = await new PrismaPg({ connectionString: url }).connect();
  try {
    const { appliedMigrationNames } = await withSchemaEngine(connection, (engine) =>
      engine.applyMigrations({ migrationsList: migrationList(migrations), filters: noFilters }),
    );
    return appliedMigrationNames;
  } finally {
    await connection.dispose();
  }
}

describe('migrate and Prisma', () => {
  const columns = `SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
    FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`;

  it('share one history: each continues where the other stopped, and accepts its checksums', async ({ url }) => {
    const migrations = await readMigrations();
    const names = migrations.map(({ name }) => name);
    expect(await migrateWithPrisma(url, migrations.slice(0, 3))).toEqual(names.slice(0, 3));
    expect(await migrate({ url, logger })).toEqual(names.slice(3));
    expect(await migrateWithPrisma(url, migrations)).toEqual([]);
  });

  it('create the same table for it', async () => {
    const [ours, theirs] = [await emptyDatabase(), await emptyDatabase()];
    await migrate({ url: ours, logger, folder: await folderOf({ '1_a': 'SELECT 1;' }) });
    await migrateWithPrisma(theirs, (await readMigrations()).slice(0, 1));
    expect(await runSql(ours, columns)).toEqual(await runSql(theirs, columns));
  });

  it('agree that a migration that was rolled back by hand is applied again', async ({ url }) => {
    const folder = await folderOf({ '1_a': 'CREATE TABLE IF NOT EXISTS a ();' });
    await migrate({ url, logger, folder });
    await runSql(url, 'UPDATE _prisma_migrations SET rolled_back_at = now()');
    expect(await migrate({ url, logger, folder })).toEqual(['1_a']);
  });
});

it.each(['2_new', '2_new_needs_0_1_0', '2_new_needs_0_0_9'])(
  'migrate of an older version works with the migration %s, and says in the log that there is a newer version',
  async (name) => {
    const url = await emptyDatabase();
    await migrate({ url, logger, folder: await folderOf({ '1_old': 'SELECT 1;', [name]: 'SELECT 1;' }) });
    const { logger: told, lines } = listening('warn');
    expect(await migrate({ url, logger: told, folder: await folderOf({ '1_old': 'SELECT 1;' }) })).toEqual([]);
    expect(lines).toEqual([expect.objectContaining({ level: 40, migrations: [name] })]);
  },
);

describe('migrate refuses', () => {
  it('a database that is not encoded in Unicode', async () => {
    const { url, drop } = await createDatabase("template0 ENCODING 'LATIN1' LOCALE 'C'");
    onTestFinished(drop);
    await expect(migrate({ url, logger })).rejects.toThrow(
      "encoding of the database is LATIN1. Create a database with ENCODING 'UTF8'",
    );
  });

  it.each([
    [
      'that needs a newer version',
      '2_new_needs_99_0_0',
      /has the migration 2_new_needs_99_0_0.+it needs Skein 99\.0\.0/,
    ],
    [
      'beside one of its own that is missing there',
      '3_new',
      /has the migration 3_new.+has others that the database lacks/,
    ],
  ])('a database with the migration of a newer version %s', async (_what, name, message) => {
    const url = await emptyDatabase();
    await migrate({ url, logger, folder: await folderOf({ '1_old': 'SELECT 1;', [name]: 'SELECT 1;' }) });
    const own = name.startsWith('3') ? { '1_old': 'SELECT 1;', '2_own': 'SELECT 1;' } : { '1_old': 'SELECT 1;' };
    await expect(migrate({ url, logger, folder: await folderOf(own) })).rejects.toThrow(message);
  });

  it('a migration that was changed after it was applied', async ({ url }) => {
    await migrate({ url, logger, folder: await folderOf({ '1_a': 'SELECT 1;' }) });
    const changed = migrate({ url, logger, folder: await folderOf({ '1_a': 'SELECT 2;' }) });
    await expect(changed).rejects.toThrow(/1_a was changed after it was applied/);
  });

  it.each([
    ['a migration that another tool left half done', { '1_a': 'SELECT 1;' }],
    ['a database with an unfinished migration of a newer version', {}],
  ])('%s', async (_what, own) => {
    const url = await emptyDatabase();
    await migrate({ url, logger, folder: await folderOf({ '0_old': 'SELECT 1;', '1_a': 'SELECT 1;' }) });
    await runSql(url, "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '1_a'");
    const again = migrate({ url, logger, folder: await folderOf({ '0_old': 'SELECT 1;', ...own }) });
    await expect(again).rejects.toThrow(/1_a was started by another tool and did not finish/);
  });
});
