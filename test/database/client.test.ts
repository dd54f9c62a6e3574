/** The client of the service; statements of our own, which are sent past Prisma, take and return what they do with Prisma. */
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { Prisma } from '../../prisma/generated/client/client.js';
import type { PrismaClientOptions } from '../../src/database/client.js';
import { DatabaseConnectionError, explainConnection } from '../../src/database/connection-error.js';
import { StatementNames } from '../../src/database/statement-names.js';
import { isOutage } from '../../src/modules/database-errors.js';
import { sqlStateOf } from '../../src/modules/sql-state.js';
import { connected, newDatabase, openedDatabase } from '../support/database/opened-database.js';
import { runSql } from '../support/server.js';

const applicationName = 'skein worker-1';
const connections = `SELECT pid FROM pg_stat_activity WHERE application_name = '${applicationName}' AND datname = current_database()`;

const patient = { interval: 10, timeout: 30_000 };

async function openClient(options: Partial<PrismaClientOptions> = {}) {
  const url = await newDatabase();
  const client = connected(url, { applicationName, maxConnections: 2, ...options });
  const prepared = () =>
    client.$queryRaw`SELECT name FROM pg_prepared_statements WHERE statement LIKE '%organization%'`;
  return { client, prepared, url };
}

describe('the Prisma client', () => {
  it('sets an application name and timeouts, so that nothing holds a lock or a connection for long', async () => {
    const { client } = await openClient();
    const settings = await client.$queryRaw`
      SELECT name, setting FROM pg_settings WHERE name IN
        ('application_name', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`;
    expect(settings).toEqual([
      { name: 'application_name', setting: applicationName },
      { name: 'idle_in_transaction_session_timeout', setting: '5000' },
      { name: 'lock_timeout', setting: '3000' },
      { name: 'statement_timeout', setting: '5000' },
    ]);
  });

  it('survives the loss of its idle connections', async () => {
    const { client, url } = await openClient();
    await client.organization.count();
    const lost = connections.replace('SELECT pid', 'SELECT pg_terminate_backend(pid)');
    expect(await runSql(url, lost)).not.toEqual([]);
    await vi.waitFor(async () => expect(await client.organization.count()).toBe(0), patient);
  });

  it('logs the loss of an idle connection, but not of one that it is closing', async () => {
    const logged: string[] = [];
    const logger = pino({ base: null }, { write: (line) => void logged.push(line) });
    let pool: pg.Pool | undefined;
    const { client } = await openClient({ logger, onPool: (made) => (pool = made) });
    const lose = () => pool?.emit('error', new Error('terminating connection'), new pg.Client());
    lose();
    expect(logged).toEqual([expect.stringContaining('an idle database connection broke')]);
    await client.$disconnect();
    lose();
    expect(logged).toHaveLength(1);
  });

  it('reports the loss of a connection in use as an error of that call, and continues', async () => {
    const { client, url } = await openClient();
    const broken = expect(client.$queryRaw`SELECT 1 FROM pg_sleep(60)`).rejects.toThrow(/terminat|connection/i);
    const lost = `${connections.replace('SELECT pid', 'SELECT pg_terminate_backend(pid)')} AND wait_event = 'PgSleep'`;
    await vi.waitFor(async () => expect(await runSql(url, lost)).toHaveLength(1), { interval: 10, timeout: 20_000 });
    await broken;
    expect(await client.organization.count()).toBe(0);
  });

  it('holds no more connections than it may, and none after $disconnect', async () => {
    const { client, url } = await openClient();
    await Promise.all(Array.from({ length: 10 }, () => client.organization.count()));
    expect((await runSql(url, connections)).length).toBeLessThanOrEqual(2);
    await client.$disconnect();
    await vi.waitFor(async () => expect(await runSql(url, connections)).toEqual([]), patient);
  });

  it('prepares a statement that comes back, and executes it with other values', async () => {
    const { client, prepared } = await openClient({ maxConnections: 1 });
    await client.organization.createMany({ data: ['a', 'b', 'c'].map((slug) => ({ slug, name: slug })) });
    const nameOf = async (slug: string) => (await client.organization.findUnique({ where: { slug } }))?.name;
    expect([await nameOf('a'), await nameOf('b'), await nameOf('c'), await nameOf('d')]).toEqual([
      'a',
      'b',
      'c',
      undefined,
    ]);
    expect(await prepared()).toHaveLength(1);
  });

  it('prepares none if it is told not to', async () => {
    const { client, prepared } = await openClient({ maxConnections: 1, preparedStatements: false });
    for (let n = 0; n < 3; n++) await client.organization.count();
    expect(await prepared()).toEqual([]);
  });

  it('continues after a migration that adds a column to a table of a prepared statement', async () => {
    const { client, prepared, url } = await openClient({ maxConnections: 1 });
    for (let n = 0; n < 3; n++) await client.organization.findMany();
    expect(await prepared()).toHaveLength(1);
    await runSql(url, 'ALTER TABLE organization ADD COLUMN later text');
    expect(await client.organization.findMany()).toEqual([]);
  });
});

describe('names of prepared statements', () => {
  it('are given to a statement that comes back, and stay', () => {
    const names = new StatementNames();
    expect([names.of('SELECT 1'), names.of('SELECT 2')]).toEqual(['', '']);
    expect([names.of('SELECT 1'), names.of('SELECT 1'), names.of('SELECT 2')]).toEqual([
      'skein_0',
      'skein_0',
      'skein_1',
    ]);
  });

  it('are not given to a search, whose plan depends on its words, nor to very long statements', () => {
    const names = new StatementNames();
    for (const sql of ['SELECT id FROM thread WHERE search @@ search_query($1)', `SELECT '${'x'.repeat(10_000)}'`]) {
      expect([names.of(sql), names.of(sql), names.of(sql)]).toEqual(['', '', '']);
    }
  });

  it('have a maximum, beyond which statements go without a name', () => {
    const names = new StatementNames();
    const given = Array.from({ length: 302 }, (_, n) => [names.of(`SELECT ${n}`), names.of(`SELECT ${n}`)].join());
    expect(given.slice(298)).toEqual([',skein_298', ',skein_299', ',', ',']);
    expect(names.of('SELECT 0')).toBe('skein_0');
  });

  it('are kept for what comes back, however many statements come once', () => {
    const names = new StatementNames();
    for (let n = 0; n < 5_000; n++) names.of(`SELECT ${n}`);
    expect([names.of('often'), names.of('often')]).toEqual(['', 'skein_0']);
  });
});

const opened = openedDatabase({ maxConnections: 2 });

/** The same statement on both ways. */
async function bothWays(statement: Prisma.Sql): Promise<unknown[]> {
  return [
    await opened.client.$queryRaw(statement),
    await opened.client.$transaction((prisma) => prisma.$queryRaw(statement)),
  ];
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
      const options = 'options=-c%20TimeZone%3DAmerica%2FSt_Johns';
      const local = connected(`${opened.url}${opened.url.includes('?') ? '&' : '?'}${options}`);
      const rows = await local.$queryRaw<{ same: boolean; at: Date }[]>`
        SELECT ${moment}::timestamptz = '2026-03-29T01:02:03.456Z' AS same, ${moment}::timestamptz AS at`;
      expect(rows).toEqual([{ same: true, at: moment }]);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it('says how many rows it changed', async () => {
    expect(await opened.client.$executeRaw`INSERT INTO organization (slug, name) VALUES ('a', 'A'), ('b', 'B')`).toBe(
      2,
    );
    expect(await opened.client.$executeRaw`UPDATE organization SET name = ${'C'} WHERE slug = ${'a'}`).toBe(1);
    expect(await opened.client.$executeRaw`SELECT set_config('skein.test', 'x', false)`).toBe(1);
  });

  it('fails with the SQLSTATE, on both ways', async () => {
    const fail = Prisma.sql`SELECT ${1}::int / 0`;
    const ours = await opened.client.$queryRaw(fail).catch((error: unknown) => error);
    const prismas = await opened.client
      .$transaction((prisma) => prisma.$queryRaw(fail))
      .catch((error: unknown) => error);
    expect([sqlStateOf(ours), sqlStateOf(prismas)]).toEqual(['22012', '22012']);
  });

  it('ends its connections with the client, even if Prisma itself sent nothing', async () => {
    const alone = connected(opened.url, { applicationName: 'alone' });
    await alone.$queryRaw`SELECT 1`;
    await alone.$disconnect();
    // PostgreSQL lists a connection until its process has ended, which is after the client was told.
    await vi.waitFor(async () => {
      expect(
        await opened.client
          .$queryRaw`SELECT FROM pg_stat_activity WHERE application_name = 'alone' AND datname = current_database()`,
      ).toEqual([]);
    }, 30_000);
  });
});

describe('the database', () => {
  it('cannot be used now if it is not there, as while another one takes its place', async () => {
    const url = new URL(await newDatabase());
    url.pathname += '_not_there';
    const client = connected(url.href);
    expect(isOutage(await client.organization.count().catch((error: unknown) => error))).toBe(true);
    expect(isOutage(await client.$queryRaw`SELECT 1`.catch((error: unknown) => error))).toBe(true);
  });

  it.each([
    ['cannot be used now', 'the password was changed', '28P01', true],
    ['cannot be used now', 'its user may not sign in', '28000', true],
    ['cannot be used now', 'its disk fails', '58030', true],
    ['cannot be used now', 'a file of it is missing', '58P01', true],
    ['works', 'a value is not unique', '23505', false],
    ['works', 'a table is unknown', '42P01', false],
  ])('%s if %s', async (_what, _why, state, expected) => {
    const client = connected(await newDatabase());
    const raise = Prisma.raw(`DO $$ BEGIN RAISE SQLSTATE '${state}'; END $$`);
    expect(isOutage(await client.$executeRaw(raise).catch((error: unknown) => error))).toBe(expected);
  });
});

const client = new pg.Client('postgresql://ada:hunter2@db.example:5433/skein');

function failure(message: string, code?: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe('a database that cannot be connected to', () => {
  it.each([
    [
      'ECONNREFUSED',
      'The database cannot be reached at db.example, port 5433. Check that it is running and that DATABASE_URL is correct.',
    ],
    [
      'ETIMEDOUT',
      'The database cannot be reached at db.example, port 5433. Check that it is running and that DATABASE_URL is correct.',
    ],
    [
      '53300',
      'The database takes no more connections: as the driver says. Allow more there, at least 30 for each process of Skein, or set DATABASE_CONNECTIONS to less.',
    ],
    ['57P03', 'The database does not take connections yet: as the driver says. Start Skein again when it does.'],
    ['28P01', 'The database rejects the user ada or the password in DATABASE_URL.'],
    ['28000', 'The user in DATABASE_URL has no access to the database "skein".'],
    ['3D000', 'The database server has no database "skein". Create it, or correct DATABASE_URL.'],
    ...['CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_OSSL_PEM_NO_START_LINE'].map((code) => [
      code,
      "The connection to the database could not be encrypted: as the driver says. Add sslrootcert=FILE to DATABASE_URL, with the certificate of the server's authority, or sslmode=no-verify to encrypt without checking the server.",
    ]),
  ] as [string, string][])('is explained without its password: %s', (code, message) => {
    const cause = failure('as the driver says', code);
    const explained = explainConnection(cause, client);
    expect(explained).toBeInstanceOf(DatabaseConnectionError);
    expect(explained).toMatchObject({ message, cause });
  });

  it('is explained if the server has no TLS, which the driver reports without a code', () => {
    const explained = explainConnection(failure('The server does not support SSL connections'), client);
    expect(explained).toMatchObject({
      name: 'DatabaseConnectionError',
      message: expect.stringMatching(/could not be encrypted: .* set sslmode=disable/),
    });
  });

  it.for([
    ['Connection terminated unexpectedly', /cannot be reached at db.example, port 5433/],
    ['timeout expired', /cannot be reached at db.example, port 5433/],
    ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', /user ada .* DATABASE_URL has none/],
  ] as const)('is explained where the driver has no code: %s', ([said, message]) => {
    expect(explainConnection(failure(said), client)).toMatchObject({ message: expect.stringMatching(message) });
  });

  it('keeps the error of the driver if its cause is unknown', () => {
    const unknown = failure('something else', 'XX000');
    expect(explainConnection(unknown, client)).toBe(unknown);
  });
});
