/** A database that was restored from a backup has every row, by whichever version of the schema the backup was made. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackupError } from '../../../src/database/backup/backup-error.js';
import { checkBackup } from '../../../src/database/backup/check-backup.js';
import { restoreBackup } from '../../../src/database/backup/restore-backup.js';
import { keptTables, leftOutTables } from '../../../src/database/backup/tables.js';
import { takeBackup } from '../../../src/database/backup/take-backup.js';
import { readMigrations } from '../../../src/database/migrations/folder.js';
import { migrate } from '../../../src/database/migrations/migrate.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { breakPairs, findImpossiblePairs } from '../../support/database/impossible-pairs.js';
import { migrationsBefore, oldRows } from '../../support/database/older-version.js';
import { summaryOf } from '../../support/database/table-summary.js';
import { runSql } from '../../support/server.js';
import { logger } from '../../support/silent-logger.js';
import { countRows, inParts, stage, textOf } from './sample.js';

const leftOut = Object.keys(leftOutTables);

let source: TestDatabase;
let text: Buffer;
beforeAll(async () => {
  source = await createTestDatabase();
  await stage(source.url);
  text = await textOf(source);
});
afterAll(() => source.drop());

function restore(database: Pick<TestDatabase, 'url'>, parts: AsyncIterable<Buffer> = inParts(text)) {
  return restoreBackup({ url: database.url, parts });
}

/** Everything that a schema consists of and a restore touches: triggers, foreign keys, sequences and migrations. */
function schemaOf(url: string): Promise<unknown[]> {
  return runSql(
    url,
    `SELECT tgrelid::regclass::text AS of, tgname AS name, tgenabled::text AS how FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) || convalidated FROM pg_constraint WHERE contype = 'f'
     UNION ALL SELECT 'sequence', sequencename, last_value::text FROM pg_sequences
     UNION ALL SELECT 'migration', migration_name, checksum FROM _prisma_migrations ORDER BY 1, 2`,
  );
}

async function expectNoTables({ url }: Pick<TestDatabase, 'url'>): Promise<void> {
  expect(await runSql(url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([]);
}

describe('restoreBackup', () => {
  it('makes the same database, with its triggers, foreign keys, sequences and migrations', async () => {
    await using copy = await createEmptyDatabase();
    expect(await restore(copy)).toMatchObject({ tables: keptTables.length, migrated: 0, impossiblePairs: 0 });
    expect(await summaryOf(copy.url, leftOut)).toEqual(await summaryOf(source.url, leftOut));
    expect(await schemaOf(copy.url)).toEqual(await schemaOf(source.url));
    const next = await runSql(copy.url, `INSERT INTO organization (slug, name) VALUES ('b', 'B') RETURNING id`);
    expect(next).toEqual([{ id: 2 }]);
  });

  it('loads into a database that has the tables already, without rows', async () => {
    await using copy = await createTestDatabase();
    await restore(copy);
    expect(await summaryOf(copy.url, leftOut)).toEqual(await summaryOf(source.url, leftOut));
    expect(await schemaOf(copy.url)).toEqual(await schemaOf(source.url));
  });

  it('works for an ordinary role, which owns the database and is no superuser', async () => {
    await using copy = await createEmptyDatabase();
    const role = `owner_${process.pid}_${Date.now()}`;
    const url = new URL(copy.url);
    const name = url.pathname.slice(1);
    await runSql(copy.url, `CREATE ROLE ${role} LOGIN`, `ALTER DATABASE ${name} OWNER TO ${role}`);
    try {
      url.username = role;
      await restore({ url: url.href });
      expect((await checkBackup(takeBackup({ url: url.href }))).rows).toBe(await countRows(source.url));
      expect(await summaryOf(copy.url, leftOut)).toEqual(await summaryOf(source.url, leftOut));
    } finally {
      await runSql(copy.url, `REASSIGN OWNED BY ${role} TO CURRENT_USER`, `DROP OWNED BY ${role}`, `DROP ROLE ${role}`);
    }
  });

  it('migrates what an older version wrote, and refuses it in a database that was migrated further', async () => {
    await using old = await createEmptyDatabase();
    await migrate({ url: old.url, logger, folder: await migrationsBefore('20261122000200') });
    await runSql(old.url, ...oldRows);
    const backup = await textOf(old);
    await using copy = await createEmptyDatabase();
    const { migrated } = await restore(copy, inParts(backup));
    expect(migrated).toBe((await readMigrations()).filter(({ name }) => name >= '20261122000200').length);
    await migrate({ url: old.url, logger });
    expect(await summaryOf(copy.url, leftOut)).toEqual(await summaryOf(old.url, leftOut));
    expect(await migrate({ url: copy.url, logger })).toEqual([]);
    await using further = await createTestDatabase();
    await expect(restore(further, inParts(backup))).rejects.toThrow(
      'The database has the migration 20261122000200_bounded_search, and the backup is older. Nothing was changed. Restore into a ' +
        'database without tables',
    );
  });

  it('refuses a backup of a newer version', async () => {
    await using copy = await createEmptyDatabase();
    const newer = text
      .toString()
      .replace('"migrations":[', `"migrations":[{"name":"20990101000000_future","checksum":"${'0'.repeat(64)}"},`);
    const refused = expect(restore(copy, inParts(Buffer.from(newer)))).rejects;
    await refused.toThrow(
      'The backup was made by Skein 0.1.0, which has the migration 20990101000000_future. This version does not know it. ' +
        'Restore with that version or a newer one.',
    );
    await expectNoTables(copy);
  });

  it('refuses a backup whose migrations are not those of this version', async () => {
    await using copy = await createEmptyDatabase();
    const other = text.toString().replace(/("name":"20261121000000_init","checksum":")..../, '$1beef');
    await expect(restore(copy, inParts(Buffer.from(other)))).rejects.toThrow(
      'The migration 20261121000000_init of the backup is not that of this version.',
    );
    await expectNoTables(copy);
  });

  it('refuses a database with rows, and changes nothing', async () => {
    await using copy = await createTestDatabase();
    await runSql(copy.url, `INSERT INTO service_secret VALUES ('auth', 'x')`);
    const before = await summaryOf(copy.url);
    await expect(restore(copy)).rejects.toThrow(
      'The database is not empty: "service_secret" has rows. Nothing was changed.',
    );
    expect(await summaryOf(copy.url)).toEqual(before);
  });

  it.each([0.3, 0.999])('leaves nothing of a backup that ends after %f of it', async (part) => {
    await using copy = await createEmptyDatabase();
    const begun = inParts(text.subarray(0, text.length * part), 100);
    await expect(restore(copy, begun)).rejects.toThrow(BackupError);
    await expectNoTables(copy);
  });

  it('leaves nothing of a backup that was changed, wherever', async () => {
    await using copy = await createTestDatabase();
    const before = await summaryOf(copy.url);
    for (const [from, to] of [
      ['usr_1\t1\t1', 'usr_1\t1\t7'],
      ['tok_1\tusr_1', 'tok_2\tusr_1'],
      ['active', 'active!'],
      ['{"sequences"', '{"sequencez"'],
      ['"value":"2"', '"value":"3"'],
    ] as const) {
      const changed = text.toString().replace(from, to);
      expect(changed).not.toBe(text.toString());
      await expect(restore(copy, inParts(Buffer.from(changed))), from).rejects.toThrow(BackupError);
      expect(await summaryOf(copy.url), from).toEqual(before);
    }
  });

  it('refuses a database that would change the rows', async () => {
    await using copy = await createTestDatabase();
    await runSql(copy.url, 'ALTER TABLE message ALTER COLUMN created_at TYPE timestamptz(0)');
    await expect(restore(copy)).rejects.toThrow(
      'The database does not return the rows of "message" as they are in the backup',
    );
    expect(await runSql(copy.url, 'SELECT FROM organization')).toEqual([]);
  });

  it('restores threads that contradict their response, and says how many', async () => {
    await using broken = await createTestDatabase();
    await stage(broken.url);
    await breakPairs(broken.url, `DELETE FROM response`);
    await using copy = await createTestDatabase();
    expect(await restore(copy, takeBackup({ url: broken.url }))).toMatchObject({ impossiblePairs: 1 });
    expect(await findImpossiblePairs(copy.url)).toHaveLength(1);
  });
});

describe('takeBackup', () => {
  it('reads one moment, whatever is written meanwhile', async () => {
    await using database = await createTestDatabase();
    await stage(database.url);
    const parts: Buffer[] = [];
    const before = await summaryOf(database.url, leftOut);
    for await (const part of takeBackup({ url: database.url })) {
      if (parts.length === 0) {
        await runSql(
          database.url,
          `DELETE FROM message WHERE id = 'msg_2'`,
          `UPDATE thread SET name = 'later'`,
          `INSERT INTO idempotency_key VALUES ('usr_1', 'createThread', 'k', '\\x00', 'thr_1', 'msg_1', now())`,
        );
      }
      parts.push(part);
    }
    await using copy = await createTestDatabase();
    await restore(copy, inParts(Buffer.concat(parts)));
    expect(await summaryOf(copy.url, leftOut)).toEqual(before);
  });

  it('ends its snapshot when nobody reads on', async () => {
    for await (const part of takeBackup({ url: source.url })) if (part.includes('user_account')) break;
    const sessions = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'skein backup'`;
    await expect.poll(() => runSql(source.url, sessions), { timeout: 30_000 }).toEqual([]);
  });

  it('refuses a database without tables of Skein, and one of a newer version', async () => {
    await using empty = await createEmptyDatabase();
    await expect(textOf(empty)).rejects.toThrow('The database has no tables of Skein, so there is nothing to back up.');
    await using newer = await createTestDatabase();
    await runSql(
      newer.url,
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name) VALUES ('x', 'x', now(), '20990101000000_future')`,
    );
    await expect(textOf(newer)).rejects.toThrow('which this version of Skein does not know');
  });
});
