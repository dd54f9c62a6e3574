/**
 * Compares what the migrations make with what `schema.prisma` says. Prisma sees tables, columns, keys, enums and plain indexes; it
 * does not see triggers, functions, checks, partial indexes and fill factors, which stand in the migrations alone.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { type ColumnType, ColumnTypeEnum, type SqlQueryable } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { prismaFolder, readMigrations } from '../../src/database/migrations/folder.js';
import { createEmptyDatabase, createTestDatabase } from '../support/database/database.js';
import { runSql } from '../support/server.js';
import { migrationList, noFilters, withSchemaEngine } from './schema-engine.js';

/** The SQL that leads from the migrations, which are applied to an empty database, to the schema: empty where they agree. */
async function diffMigrations(emptyDatabaseUrl: string, schema?: string): Promise<string> {
  const content = schema ?? (await readFile(join(prismaFolder(), 'schema.prisma'), 'utf8'));
  const migrations = await readMigrations();
  const connection = await connectForCatalog(emptyDatabaseUrl);
  try {
    const { exitCode, stdout } = await withSchemaEngine(connection, (engine) =>
      engine.diff({
        from: { tag: 'migrations', ...migrationList(migrations) },
        to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] },
        script: true,
        exitCode: true,
        filters: noFilters,
      }),
    );
    return exitCode === 0 ? '' : (stdout ?? '');
  } finally {
    await connection.close();
  }
}

/** PostgreSQL's one-byte type `"char"`, which only the catalog uses. */
const charType = 18;

/**
 * A connection for reading the catalog. `@prisma/adapter-pg` does not know the catalog's type `"char"`, which the engine asks for; so
 * such columns pass as text, and are given their own type again behind the adapter.
 */
async function connectForCatalog(url: string): Promise<SqlQueryable & { close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const query = pool.query.bind(pool);
  let charColumns: number[] = [];
  const relabel = async (config: pg.QueryArrayConfig) => {
    const result = await query(config);
    charColumns = result.fields?.flatMap((field, column) => (field.dataTypeID === charType ? [column] : [])) ?? [];
    for (const column of charColumns)
      Object.assign(result.fields[column] ?? {}, { dataTypeID: pg.types.builtins.TEXT });
    return result;
  };
  const adapter = await new PrismaPg(Object.assign(pool, { query: relabel })).connect();
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    executeRaw: (statement) => adapter.executeRaw(statement),
    queryRaw: async (statement) => {
      const result = await adapter.queryRaw(statement);
      const columnTypes = result.columnTypes.map(
        (type, column): ColumnType => (charColumns.includes(column) ? ColumnTypeEnum.Character : type),
      );
      return { ...result, columnTypes };
    },
    close: () => pool.end(),
  };
}

describe('the migrations and schema.prisma', () => {
  it('describe the same schema', async () => {
    await using database = await createEmptyDatabase();
    expect(await diffMigrations(database.url)).toBe('');
  });

  it('are compared column by column: one that only the schema has is found', async () => {
    await using database = await createEmptyDatabase();
    const schema = await readFile(join(prismaFolder(), 'schema.prisma'), 'utf8');
    const drifted = schema.replace('model Feedback {', 'model Feedback {\n  stars Int?');
    expect(await diffMigrations(database.url, drifted)).toContain(
      'ALTER TABLE "feedback" ADD COLUMN     "stars" INTEGER',
    );
  });
});

/** What Prisma cannot compare. An index that is missing here was added, one too many was lost: both want a decision. */
const partialIndexes = {
  attachment_unsent: 'the quota of a user',
  attachment_unsent_by_age: 'housekeeping removes what was not sent for a day',
  message_author: 'the export and the deletion of a person',
  message_hidden: 'the messages of a branch that was put aside, when it is selected again',
  message_search: 'search finds active messages only',
  message_turn: 'the variants of a message, and few have any',
  organization_retention: 'housekeeping looks for organizations that keep threads for some days only, and few do',
  response_one_live_per_thread: 'the database refuses two live responses of one thread',
  response_running: 'the reclaimer looks for expired leases among running responses only',
  thread_active: 'threads that are active without a running response',
  thread_archived_by_activity: 'the same as the two below, by their last activity',
  thread_archived_by_creation: 'archived threads alone, in a list of many that are not',
  thread_archived_by_update: 'the same, by their last update',
  thread_hidden: 'feeds tell which threads were hidden, and few ever are',
  thread_import: 'the threads that a person has imported, once each',
  thread_tagged: 'a rare tag, and most threads have none',
  thread_tagged_by_activity: 'a frequent tag in the order of the list, and the tags in use',
  thread_waiting: 'the queue, by time: what waits too long',
  thread_waiting_by_owner: 'the queue, by user: a claim looks at the oldest of each',
};

it('the migrations create exactly the known partial indexes', async () => {
  await using database = await createTestDatabase();
  const rows = await runSql(
    database.url,
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
       WHERE indpred IS NOT NULL AND relnamespace = 'public'::regnamespace ORDER BY name`,
  );
  expect(rows).toEqual(Object.keys(partialIndexes).map((name) => ({ name })));
});

it('the functions of the migrations qualify tables and functions with their schema or set a search_path, because a restore has none', async () => {
  await using database = await createTestDatabase();
  const rows = (await runSql(
    database.url,
    `SELECT proname AS name, coalesce(prosrc, '') AS source FROM pg_proc WHERE pronamespace = 'public'::regnamespace
         AND coalesce(array_to_string(proconfig, ','), '') NOT LIKE '%search_path=%'`,
  )) as { name: string; source: string }[];
  const tables = (await runSql(
    database.url,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  )) as { name: string }[];
  const called = new RegExp(String.raw`(?<![.\w])(${rows.map(({ name }) => name).join('|')})\s*\(`);
  const read = new RegExp(
    String.raw`\b(FROM|JOIN|INTO|UPDATE)\s+"?(${tables.map(({ name }) => name).join('|')})\b`,
    'i',
  );
  const unqualified = rows.filter(({ source }) => called.test(source) || read.test(source)).map(({ name }) => name);
  expect(unqualified).toEqual([]);
});
