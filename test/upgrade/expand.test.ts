/**
 * During a rolling upgrade the release before runs on the schema of this one. So a migration only adds; what it takes away, no
 * program since the version in its name may use (`20270101000000_drop_model_needs_0_2_0`).
 */
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readMigrations } from '../../src/database/migrations/folder.js';
import { neededVersion } from '../../src/database/migrations/history.js';
import { createEmptyDatabase } from '../support/database/database.js';
import { contractions, readCatalog } from './contractions.js';
import { previousRelease } from './previous-release.js';

let client: pg.Client;
beforeAll(async () => {
  const database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return async () => {
    await client.end();
    await database.drop();
  };
});
beforeEach(async () => {
  await client.query('BEGIN');
  return async () => void (await client.query('ROLLBACK'));
});

it('the migrations since the release before take nothing away from it', async () => {
  const migrations = await readMigrations();
  const split = migrations.findIndex(({ name }) => name === previousRelease.lastMigration) + 1;
  expect(split, previousRelease.lastMigration).toBeGreaterThan(0);
  for (const { sql } of migrations.slice(0, split)) await client.query(sql);
  const before = await readCatalog(client);
  const known = new Set<string>();
  for (const { name, sql } of migrations.slice(split)) {
    await client.query(sql);
    const taken = contractions(before, await readCatalog(client)).filter((what) => !known.has(what));
    for (const what of taken) known.add(what);
    if (neededVersion(name) === null) expect(taken, name).toEqual([]);
  }
});

const schema = `
  CREATE TYPE mood AS ENUM ('calm', 'wild');
  CREATE TABLE cat (id TEXT PRIMARY KEY, name TEXT, lives INT NOT NULL DEFAULT 9, mood mood);
  CREATE FUNCTION purr(loud INT) RETURNS TEXT LANGUAGE sql AS 'SELECT NULL';`;

describe('a migration', () => {
  const contractionsBy = async (sql: string) => {
    await client.query(schema);
    const before = await readCatalog(client);
    await client.query(sql);
    return contractions(before, await readCatalog(client));
  };

  it.each([
    ['ALTER TABLE cat DROP COLUMN name', 'cat.name is gone'],
    ['ALTER TABLE cat RENAME COLUMN name TO title', 'cat.name is gone'],
    ['ALTER TABLE cat RENAME TO tiger', 'cat.id is gone'],
    ['DROP TABLE cat', 'cat.mood is gone'],
    ['ALTER TABLE cat ALTER COLUMN lives TYPE BIGINT', 'cat.lives was integer and is bigint'],
    ['ALTER TABLE cat ALTER COLUMN name SET NOT NULL', 'cat.name is required'],
    ['ALTER TABLE cat ALTER COLUMN lives DROP DEFAULT', 'cat.lives is required'],
    ['ALTER TABLE cat ADD COLUMN age INT NOT NULL', 'cat.age is new and required'],
    ['ALTER TABLE cat ADD CONSTRAINT few CHECK (lives < 5)', 'few restricts cat'],
    ['CREATE UNIQUE INDEX one_name ON cat (name)', 'one_name restricts cat'],
    ['CREATE UNIQUE INDEX one_lower ON cat (lower(name))', 'one_lower restricts cat'],
    [
      'ALTER TABLE cat ADD COLUMN tag INT DEFAULT 0; CREATE UNIQUE INDEX one_tag ON cat (name, tag)',
      'one_tag restricts cat',
    ],
    [
      'ALTER TABLE cat ADD COLUMN tag INT; CREATE UNIQUE INDEX one_null ON cat (name, tag) NULLS NOT DISTINCT',
      'one_null restricts cat',
    ],
    ['ALTER TABLE cat ADD CONSTRAINT self FOREIGN KEY (name) REFERENCES cat (id)', 'self restricts cat'],
    ["ALTER TYPE mood ADD VALUE 'sly'", 'the value sly of mood is new'],
    ["ALTER TYPE mood RENAME VALUE 'wild' TO 'sly'", 'the value wild of mood is gone'],
    ['DROP FUNCTION purr', 'the function purr(loud integer) that returns text is gone'],
  ])('that says %s takes something away', async (sql, what) => {
    expect(await contractionsBy(sql)).toContain(what);
  });

  it.each([
    'ALTER TABLE cat ADD COLUMN age INT',
    'ALTER TABLE cat ADD COLUMN age INT NOT NULL DEFAULT 0',
    'ALTER TABLE cat ADD COLUMN age INT CHECK (age < 40)',
    'ALTER TABLE cat ADD COLUMN tag INT UNIQUE',
    'ALTER TABLE cat ADD COLUMN tag INT; CREATE UNIQUE INDEX one_tag ON cat (name, tag)',
    'ALTER TABLE cat ALTER COLUMN lives DROP NOT NULL',
    'CREATE TABLE dog (id TEXT NOT NULL PRIMARY KEY, cat TEXT NOT NULL REFERENCES cat (id))',
    'CREATE INDEX by_name ON cat (name)',
    "CREATE OR REPLACE FUNCTION purr(loud INT) RETURNS TEXT LANGUAGE sql AS 'SELECT 1::text'",
    "CREATE TYPE size AS ENUM ('small')",
  ])('that says %s only adds', async (sql) => {
    expect(await contractionsBy(sql)).toEqual([]);
  });
});
