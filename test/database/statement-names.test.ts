import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPrismaClient } from '../../src/database/client.js';
import { StatementNames } from '../../src/database/statement-names.js';
import { createTestDatabase } from '../support/database/database.js';
import { runSql } from '../support/server.js';

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
    const names = new StatementNames({ maxNames: 2 });
    const given = ['a', 'b', 'c'].map((sql) => [names.of(sql), names.of(sql)].join());
    expect(given).toEqual([',skein_0', ',skein_1', ',']);
    expect(names.of('a')).toBe('skein_0');
  });

  it('are kept for what comes back, however many statements come once', () => {
    const names = new StatementNames({ maxNames: 2 });
    for (let n = 0; n < 5_000; n++) names.of(`SELECT ${n}`);
    expect([names.of('often'), names.of('often')]).toEqual(['', 'skein_0']);
  });
});

async function openClient(preparedStatements?: boolean) {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const options = { url: database.url, applicationName: 'skein', maxConnections: 1, preparedStatements };
  const client = createPrismaClient({ ...options, logger: pino({ level: 'silent' }) });
  onTestFinished(() => client.$disconnect());
  const prepared = () =>
    client.$queryRaw`SELECT name FROM pg_prepared_statements WHERE statement LIKE '%organization%'`;
  return { client, prepared, url: database.url };
}

describe('the Prisma client', () => {
  it('prepares a statement that comes back, and executes it with other values', async () => {
    const { client, prepared } = await openClient();
    await client.organization.createMany({
      data: ['a', 'b', 'c'].map((slug) => ({ slug, name: slug })),
    });
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
    const { client, prepared } = await openClient(false);
    for (let n = 0; n < 3; n++) await client.organization.count();
    expect(await prepared()).toEqual([]);
  });

  it('continues after a migration that adds a column to a table of a prepared statement', async () => {
    const { client, prepared, url } = await openClient();
    for (let n = 0; n < 3; n++) await client.organization.findMany();
    expect(await prepared()).toHaveLength(1);
    await runSql(url, 'ALTER TABLE organization ADD COLUMN later text');
    expect(await client.organization.findMany()).toEqual([]);
  });
});
