/** Statements of our own, which are sent past Prisma, take and return what they do with Prisma. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Prisma, type PrismaClient } from '../../prisma/generated/client/client.js';
import { createPrismaClient } from '../../src/database/client.js';
import { sqlStateOf } from '../../src/modules/sql-state.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';

let storage: TestDatabase;
let client: PrismaClient;
beforeAll(async () => {
  storage = await createTestDatabase();
  const logger = pino({ level: 'silent' });
  client = createPrismaClient({ url: storage.url, applicationName: 'raw', maxConnections: 2, logger });
});
afterAll(async () => {
  await client.$disconnect();
  await storage.drop();
});

/** The same statement on both ways. */
async function bothWays(statement: Prisma.Sql): Promise<unknown[]> {
  return [await client.$queryRaw(statement), await client.$transaction((prisma) => prisma.$queryRaw(statement))];
}

const moment = new Date('2026-03-29T01:02:03.456Z');

describe('a statement of our own', () => {
  it.each([
    ['integers', Prisma.sql`SELECT 1::int2 AS a, ${2}::int AS b, (${3}::int8 + 2 ^ 60)::int8 AS c, -1::int8 AS d`],
    ['numbers', Prisma.sql`SELECT ${1.5}::float8 AS a, 12345678901234567890.5::numeric AS b, 0.1::float4::float8 AS c`],
    ['texts and truths', Prisma.sql`SELECT ${'Grüße ❤\n"\\'} AS a, ${true}::bool AS b, NULL AS c, ''::text AS d`],
    ['times', Prisma.sql`SELECT ${moment}::timestamptz AS a, '0099-01-01 00:00:00+00'::timestamptz AS b`],
    [
      'documents',
      Prisma.sql`SELECT '{"a":[1,"x",null]}'::jsonb AS a, '[{"type":"text"}]'::json AS b, 'null'::jsonb AS c`,
    ],
    ['lists', Prisma.sql`SELECT ${['a', 'b,"c"', '{d}']}::text[] AS a, ${[1, 2]}::int[] AS b, ARRAY[]::text[] AS c`],
    ['bytes', Prisma.sql`SELECT ${new Uint8Array([0, 1, 255])}::bytea = '\\x0001ff'::bytea AS a`],
    ['no rows', Prisma.sql`SELECT 1 AS a WHERE false`],
  ])('returns the same %s as Prisma', async (_what, statement) => {
    const [ours, prismas] = await bothWays(statement);
    expect(ours).toEqual(prismas);
  });

  it('returns the same time whatever the zone of the session and of the process', async () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Asia/Kolkata';
    try {
      const local = createPrismaClient({
        url: `${storage.url}${storage.url.includes('?') ? '&' : '?'}options=-c%20TimeZone%3DAmerica%2FSt_Johns`,
        applicationName: 'zone',
        maxConnections: 1,
        logger: pino({ level: 'silent' }),
      });
      const rows = await local.$queryRaw<{ same: boolean; at: Date }[]>`
        SELECT ${moment}::timestamptz = '2026-03-29T01:02:03.456Z' AS same, ${moment}::timestamptz AS at`;
      await local.$disconnect();
      expect(rows).toEqual([{ same: true, at: moment }]);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it('says how many rows it changed', async () => {
    expect(await client.$executeRaw`INSERT INTO organization (slug, name) VALUES ('a', 'A'), ('b', 'B')`).toBe(2);
    expect(await client.$executeRaw`UPDATE organization SET name = ${'C'} WHERE slug = ${'a'}`).toBe(1);
    expect(await client.$executeRaw`SELECT set_config('skein.test', 'x', false)`).toBe(1);
  });

  it('fails with the SQLSTATE, on both ways', async () => {
    const fail = Prisma.sql`SELECT ${1}::int / 0`;
    const ours = await client.$queryRaw(fail).catch((error: unknown) => error);
    const prismas = await client.$transaction((prisma) => prisma.$queryRaw(fail)).catch((error: unknown) => error);
    expect([sqlStateOf(ours), sqlStateOf(prismas)]).toEqual(['22012', '22012']);
  });

  it('ends its connections with the client, even if Prisma itself sent nothing', async () => {
    const logger = pino({ level: 'silent' });
    const alone = createPrismaClient({ url: storage.url, applicationName: 'alone', maxConnections: 1, logger });
    await alone.$queryRaw`SELECT 1`;
    await alone.$disconnect();
    // PostgreSQL lists a connection until its process has ended, which is after the client was told.
    await vi.waitFor(async () => {
      expect(
        await client.$queryRaw`SELECT FROM pg_stat_activity WHERE application_name = 'alone' AND datname = current_database()`,
      ).toEqual([]);
    }, 30_000);
  });
});
