/**
 * The database client of one operation, in which each statement needs a turn (`operation-turn.ts`). A transaction
 * counts as one statement and uses the client that it is given; it must be a function, because the statements of an array
 * would begin on their own.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import type { Permit } from './operation-turn.js';

const statements: ReadonlySet<string | symbol> = new Set([
  '$queryRaw',
  '$queryRawUnsafe',
  '$executeRaw',
  '$executeRawUnsafe',
  '$transaction',
]);

export function databaseInTurns(database: PrismaClient, turn: Permit): PrismaClient {
  return new Proxy(database, {
    get(client, property) {
      const value: unknown = Reflect.get(client, property);
      if (statements.has(property)) return (...args: unknown[]) => turn.run(() => call(client, property, args));
      return isModel(property, value) ? modelInTurns(value, { name: property, turn }) : value;
    },
  });
}

function isModel(property: string | symbol, value: unknown): value is object {
  return typeof property === 'string' && !/^[$_]/.test(property) && typeof value === 'object' && value !== null;
}

function modelInTurns(model: object, { name, turn }: { name: string | symbol; turn: Permit }): object {
  return new Proxy(model, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== 'function') return value;
      const batchOf = unique.has(property) ? (args: unknown[]) => batchKey([name, property], args[0]) : () => undefined;
      return (...args: unknown[]) => turn.run(() => call(target, property, args), batchOf(args));
    },
  });
}

function call(object: object, method: string | symbol, args: unknown[]): PromiseLike<unknown> {
  return Reflect.apply(Reflect.get(object, method), object, args) as PromiseLike<unknown>;
}

const unique: ReadonlySet<string | symbol> = new Set(['findUnique', 'findUniqueOrThrow']);

/**
 * A key that is equal for lookups that Prisma batches into one statement: everything but the values of the unique key.
 */
function batchKey(method: readonly (string | symbol)[], search: unknown): string {
  const { where = {}, ...rest } = search as { where?: object };
  return JSON.stringify([method, Object.keys(where), rest], (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
