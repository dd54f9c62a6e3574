/**
 * During a rolling upgrade the release before runs on the schema of this one. So a migration only adds; what it takes away, no
 * program since the version in its name may use (`20270101000000_drop_model_needs_0_2_0`).
 */
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readMigrations } from '../../src/database/migrations/folder.js';
import { neededVersion } from '../../src/database/migrations/history.js';
import { createEmptyDatabase } from '../support/database/database.js';
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

interface Column {
  table: string;
  name: string;
  type: string;
  isRequired: boolean;
  /** What a program that does not know the column leaves in it. */
  isNullByDefault: boolean;
}

interface Constraint {
  table: string;
  name: string;
  columns: string[];
  /** Of a unique index: any number of rows may have null in one of its columns. */
  ignoresNull: boolean;
}

/** Everything that a program can rely on, by a name that says what it is, with what must stay as it is. */
interface Catalog {
  columns: Map<string, Column>;
  constraints: Map<string, Constraint>;
  /** Values of enums, and functions with their parameters and results. */
  rest: Set<string>;
}

const columnsQuery = `
  SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS "isRequired",
    NOT a.attnotnull AND NOT a.atthasdef AS "isNullByDefault"
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`;

const constraintsQuery = `
  SELECT c.relname AS table, x.name, x.ignores_null AS "ignoresNull", array(
    SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (x.columns) ORDER BY 1) AS columns
  FROM (
    SELECT conrelid AS id, conname AS name, conkey AS columns, false AS ignores_null FROM pg_constraint WHERE contype IN ('c', 'f', 'x')
    UNION ALL
    SELECT indrelid, indexrelid::regclass::text, indkey::int2[], NOT indnullsnotdistinct FROM pg_index WHERE indisunique) x
  JOIN pg_class c ON c.oid = x.id
  WHERE c.relnamespace = 'public'::regnamespace`;

const restQuery = `
  SELECT format('the value %s of %s', e.enumlabel, t.typname) AS name
  FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid WHERE t.typnamespace = 'public'::regnamespace
  UNION ALL
  SELECT format('the function %s(%s) that returns %s', p.proname, pg_get_function_identity_arguments(p.oid), pg_get_function_result(p.oid))
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace`;

async function readCatalog(client: pg.Client): Promise<Catalog> {
  const read = async <Row extends pg.QueryResultRow>(query: string) => (await client.query<Row>(query)).rows;
  const columns = await read<Column>(columnsQuery);
  const constraints = await read<Constraint>(constraintsQuery);
  const rest = await read<{ name: string }>(restQuery);
  return {
    columns: new Map(columns.map((column) => [`${column.table}.${column.name}`, column])),
    constraints: new Map(constraints.map((constraint) => [constraint.name, constraint])),
    rest: new Set(rest.map(({ name }) => name)),
  };
}

/** What a program for the catalog `before` would miss or stumble over in `after`. */
function contractions(before: Catalog, after: Catalog): string[] {
  const tables = new Set([...before.columns.values()].map(({ table }) => table));
  const changed = [...before.columns].flatMap(([name, old]) => {
    const column = after.columns.get(name);
    if (!column) return [`${name} is gone`];
    if (column.type !== old.type) return [`${name} was ${old.type} and is ${column.type}`];
    return column.isRequired && !old.isRequired ? [`${name} is required`] : [];
  });
  const added = [...after.columns].flatMap(([name, { table, isRequired }]) =>
    isRequired && tables.has(table) && !before.columns.has(name) ? [`${name} is new and required`] : [],
  );
  const tightened = [...after.constraints].flatMap(([name, { table, columns, ignoresNull }]) => {
    const fresh = columns.filter((column) => !before.columns.has(`${table}.${column}`));
    const concernsOld = columns.length === 0 || fresh.length < columns.length;
    const isMet = ignoresNull && fresh.some((column) => after.columns.get(`${table}.${column}`)?.isNullByDefault);
    const isNew = !before.constraints.has(name) && tables.has(table);
    return isNew && concernsOld && !isMet ? [`${name} restricts ${table}`] : [];
  });
  const gone = [...before.rest].flatMap((name) => (after.rest.has(name) ? [] : [`${name} is gone`]));
  const unknown = [...after.rest].flatMap((name) => {
    const enumName = /^the value .+ of (.+)$/.exec(name)?.[1];
    const isOld = enumName && [...before.rest].some((old) => old.endsWith(` of ${enumName}`));
    return isOld && !before.rest.has(name) ? [`${name} is new`] : [];
  });
  return [...changed, ...added, ...tightened, ...gone, ...unknown];
}
