/**
 * Compares what the migrations make with what `schema.prisma` says. Prisma sees tables, columns, keys, enums and plain indexes; it
 * does not see triggers, functions, checks, partial indexes and fill factors, which stand in the migrations alone.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { type ColumnType, ColumnTypeEnum, type SqlQueryable } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { prismaFolder, readMigrations } from '../../src/database/migrations/folder.js';
import { migrationList, noFilters, withSchemaEngine } from './schema-engine.js';

export interface DiffOptions {
  /** An empty database: the migrations are applied to it, and it is thrown away afterwards by the caller. */
  emptyDatabaseUrl: string;
  /** The Prisma schema, as text; `schema.prisma` of Skein where it is not given. */
  schema?: string;
  /** The folder of the migrations; `prisma/migrations` of Skein where it is not given. */
  folder?: string;
}

/** The SQL that leads from the migrations to the schema; empty where they agree. */
export async function diffMigrations({ emptyDatabaseUrl, schema, folder }: DiffOptions): Promise<string> {
  const content = schema ?? (await readFile(join(prismaFolder(), 'schema.prisma'), 'utf8'));
  const migrations = await readMigrations(folder);
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
