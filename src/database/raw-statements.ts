/**
 * Sends the statements that we write ourselves on the pool of the Prisma client, past Prisma's compiler of queries, which
 * costs several times as much as the driver. What they take and return is as Prisma has it: BigInt for `bigint`, Decimal
 * for `numeric`, Date for times. Their errors are the driver's, with the SQLSTATE in `code`. They begin at once, so they
 * cannot be elements of `$transaction([…])`; within `$transaction(async …)`, statements are Prisma's.
 */
import pg from 'pg';
import { Prisma, type PrismaClient } from '../../prisma/generated/client/client.js';
import type { StatementNames } from './statement-names.js';

type Query = TemplateStringsArray | Prisma.Sql;

/** The client, which sends its raw statements directly. `names` is null where statements are not to be prepared. */
export function withDirectStatements(client: PrismaClient, pool: pg.Pool, names: StatementNames | null): PrismaClient {
  const send = (query: Query, parameters: readonly unknown[]): Promise<pg.QueryResult> => {
    const { text, values } = 'text' in query ? query : Prisma.sql(query, ...parameters);
    const name = names?.of(text);
    return pool.query({ text, values: values.map(toParameter), types, ...(name && { name }) });
  };
  const own = {
    $queryRaw: async (query: Query, ...parameters: unknown[]) => (await send(query, parameters)).rows,
    $executeRaw: async (query: Query, ...parameters: unknown[]) => (await send(query, parameters)).rowCount ?? 0,
    $disconnect: async () => {
      await client.$disconnect();
      // Prisma ends the pool only if it has sent something itself.
      if (!pool.ending) await pool.end();
    },
  };
  return Object.create(client, Object.getOwnPropertyDescriptors(own)) as PrismaClient;
}

/** The driver would write times in the zone of this process. */
function toParameter(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(toParameter) : value;
}

const { TIMESTAMPTZ, INT8, NUMERIC } = pg.types.builtins;

type Parse = (text: string) => unknown;

const parsers = new Map<number, Parse>([
  [INT8, BigInt],
  [NUMERIC, (text) => new Prisma.Decimal(text)],
  [TIMESTAMPTZ, momentOf],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    parsers.get(type) ?? (pg.types.getTypeParser(type, format as 'text') as Parse),
};

/** Parses `2026-11-23 18:54:44.123456+00`, in whichever zone the session is. */
function momentOf(text: string): Date {
  const isShort = /[+-]\d\d$/.test(text);
  return new Date(`${text.replace(' ', 'T')}${isShort ? ':00' : ''}`);
}
