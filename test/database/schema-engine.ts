/**
 * Prisma's own schema engine, compiled to WASM, which needs neither a binary nor a network. The tests ask it what they would
 * otherwise have to believe: that the migrations make what `schema.prisma` says, and that Prisma's tools and the runner of
 * `src/database/migrations` understand each other's history.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlQueryable,
} from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import type { Migration } from '../../src/database/migrations/folder.js';

/**
 * Runs work with the engine on one connection, which it neither opens nor closes. Where the connection raised an error, that is
 * what is thrown: after it the engine stumbles over the aborted transaction and reports only that.
 */
export async function withSchemaEngine<T>(
  connection: SqlQueryable,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const { SchemaEngine } = await loadEngine();
  const errors: unknown[] = [];
  const adapter = engineAdapter(connection, (error) => errors.push(error));
  const factory = bindMigrationAwareSqlAdapterFactory({
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    connect: async () => adapter,
    connectToShadowDb: async () => adapter,
  });
  const engine = await SchemaEngine.new({ datamodels: undefined }, ignoreLog, factory);
  try {
    return await work(engine);
  } catch (error) {
    throw errors[0] ?? error;
  } finally {
    engine.free();
  }
}

/** The engine's form of the migrations. It reads nothing from the disk itself. */
export function migrationList(migrations: readonly Migration[]): MigrationList {
  return {
    baseDir: '/',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

export const noFilters = { externalTables: [], externalEnums: [] };

/**
 * `@prisma/adapter-pg` cuts a script at every semicolon, which breaks the body of any function. Without parameters PostgreSQL
 * takes a whole script at once, so that is how scripts are sent here.
 */
function engineAdapter(connection: SqlQueryable, onError: (error: unknown) => void): SqlDriverAdapter {
  const observed = async <T>(result: Promise<T>): Promise<T> => {
    try {
      return await result;
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  return {
    provider: connection.provider,
    adapterName: connection.adapterName,
    queryRaw: (query) => observed(connection.queryRaw(query)),
    executeRaw: (query) => observed(connection.executeRaw(query)),
    executeScript: async (script) => {
      await observed(connection.executeRaw({ sql: script, args: [], argTypes: [] }));
    },
    startTransaction: () => Promise.reject(new Error('The schema engine already runs in a transaction')),
    dispose: async () => undefined,
  };
}

let loaded: Promise<typeof import('@prisma/schema-engine-wasm/schema_engine_bg')> | undefined;

function loadEngine() {
  loaded ??= instantiate();
  return loaded;
}

async function instantiate() {
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const bindingsPath = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = await readFile(bindingsPath.replace(/\.js$/, '.wasm'));
  reportPanics();
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': withoutTimers(bindings) });
  bindings.__wbg_set_wasm(instance.exports);
  const { __wbindgen_start: start } = instance.exports;
  if (typeof start !== 'function') throw new Error('The schema engine has another form than this code knows');
  start();
  return bindings;
}

/** The engine leaves a timer of ten seconds behind for each lock that it took. It must not keep a process alive. */
function withoutTimers(bindings: object): Record<string, WebAssembly.ImportValue> {
  const imports = new Map<string, WebAssembly.ImportValue>(Object.entries(bindings));
  for (const name of imports.keys()) {
    if (!name.startsWith('__wbg_setTimeout_')) continue;
    imports.set(name, (callback: () => void, delayMs: number) => setTimeout(callback, delayMs).unref());
  }
  return Object.fromEntries(imports);
}

/** The engine calls this global when it fails inside; the Prisma client brings its own where it is loaded first. */
function reportPanics(): void {
  const scope: { PRISMA_WASM_PANIC_REGISTRY?: { set_message(message: string): void } } = globalThis as object;
  scope.PRISMA_WASM_PANIC_REGISTRY ??= {
    set_message: (message) => {
      throw new Error(`Prisma's schema engine failed: ${message}`);
    },
  };
}

/** The engine reports its steps here; what matters in them its errors repeat. */
const ignoreLog = (): null => null;
