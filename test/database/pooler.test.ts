/** Behind PgBouncer in transaction mode, as Debian ships it: the limits of statements hold, and everything works. */
import { describe, expect, test } from 'vitest';
import { Prisma } from '../../prisma/generated/client/client.js';
import type { PrismaClientOptions } from '../../src/database/client.js';
import type { Viewer } from '../../src/modules/identity/authenticate.js';
import { findByIndex } from '../../src/modules/threads/list/find-by-index.js';
import { command } from '../cli/command.js';
import { skein } from '../cli/program.js';
import { createTestDatabase } from '../support/database/database.js';
import { connected, newDatabase } from '../support/database/opened-database.js';
import { gate, text } from '../support/model/model-script.js';
import { hasPgBouncer, pgBouncerNote, startPgBouncer } from '../support/network/pgbouncer.js';
import { runSql } from '../support/server.js';
import { startTestService } from '../support/service.js';

const it = test.extend('url', () => newDatabase());

function connect(url: string, options: Partial<PrismaClientOptions> = {}) {
  const limits = { lockMs: 300, statementMs: 600, idleMs: 600 };
  const defaults = { applicationName: 'pooled', maxConnections: 6, isPooled: true, preparedStatements: false };
  return connected(url, { ...defaults, limits, ...options });
}

/** A transaction that has the lock of a table until it is let go. */
async function holdLock(
  url: string,
  statement: 'LOCK TABLE organization' | 'LOCK TABLE message' = 'LOCK TABLE organization',
) {
  const client = connect(url, { isPooled: false, limits: { lockMs: 60_000, statementMs: 60_000, idleMs: 60_000 } });
  const [begun, held] = [gate(), gate()];
  const done = client.$transaction(
    async (transaction) => {
      await transaction.$executeRawUnsafe(statement);
      begun.open();
      await held.passed;
    },
    { timeout: 60_000 },
  );
  await begun.passed;
  return async () => {
    held.open();
    await done;
  };
}

describe.skipIf(!hasPgBouncer)(`behind PgBouncer in transaction mode${pgBouncerNote}`, () => {
  it('the server cancels what takes too long, with and without values, on every connection of the pool', async () => {
    const url = await newDatabase();
    const bouncer = await startPgBouncer(url, ['default_pool_size = 3']);
    const client = connect(bouncer.url);
    // As many at a time as the pooler has connections: the driver's own limit also counts the wait for one.
    const seconds = [60, 61, 62];
    const outcomes = [
      ...(await Promise.allSettled(seconds.map((value) => client.$queryRaw`SELECT 1 FROM pg_sleep(${value})`))),
      ...(await Promise.allSettled(seconds.map((value) => client.$queryRawUnsafe(`SELECT 1 FROM pg_sleep(${value})`)))),
    ];
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'none'));
    for (const reason of reasons) expect(reason).toMatch(/canceling statement due to statement timeout/);
    const sleeping =
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE query LIKE '%pg_sleep(%' AND state = 'active'";
    const others = `${sleeping} AND datname = current_database() AND pid <> pg_backend_pid()`;
    // The error is sent a moment before the server notes that its session is idle; the shortest of them sleeps for a minute.
    await expect.poll(() => runSql(url, others)).toEqual([{ count: 0 }]);
  });

  it('the server ends a wait for a lock, alone and in a transaction, and a transaction in which nothing happens', async () => {
    const url = await newDatabase();
    const bouncer = await startPgBouncer(url);
    // Idle for long enough to be seen so.
    const client = connect(bouncer.url, { limits: { lockMs: 300, statementMs: 600, idleMs: 2_000 } });
    const letGo = await holdLock(url);
    const lockTimeout = /canceling statement due to lock timeout/;
    await expect(client.$queryRaw`SELECT ${1}::int FROM organization`).rejects.toThrow(lockTimeout);
    const inTransaction = client.$transaction((transaction) => transaction.$queryRaw`SELECT 1 FROM organization`);
    await expect(inTransaction).rejects.toThrow(lockTimeout);
    await letGo();
    const idle = client.$transaction(
      async (transaction) => {
        await transaction.$queryRaw`SELECT 1`;
        const open =
          "SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()";
        await expect.poll(() => runSql(url, open)).toHaveLength(1);
        await expect.poll(() => runSql(url, open)).toHaveLength(0);
        await transaction.$queryRaw`SELECT 1`;
      },
      { timeout: 60_000 },
    );
    await expect(idle).rejects.toThrow();
    expect(await client.organization.count()).toBe(0);
  });

  it('a search gives up the index after a limit of its own, which ends with its transaction', async ({ url }) => {
    const bouncer = await startPgBouncer(url, ['default_pool_size = 1']);
    const client = connect(bouncer.url, { limits: { lockMs: 60_000, statementMs: 60_000, idleMs: 60_000 } });
    const letGo = await holdLock(url, 'LOCK TABLE message');
    const viewer: Viewer = {
      ...{
        userId: 'usr_1',
        userNumber: 1,
        name: null,
        email: '',
        role: 'member',
        scopes: new Set(),
        hasBudgets: false,
      },
      ...{ organizationId: 1, organizationSlug: '', organizationName: '', tokenId: '', tokenExpiresAt: null },
    };
    const query = Prisma.sql`search_query('word')`;
    const order = { field: 'updated_at', direction: 'desc' } as const;
    const options = { viewer, filter: { q: 'word' }, order, after: null, limit: 1 };
    expect(await findByIndex(client, options, { query, ms: 20 })).toBeNull();
    await letGo();
    expect(await client.$queryRawUnsafe('SHOW statement_timeout')).toEqual([{ statement_timeout: '1min' }]);
    expect(await findByIndex(client, options, { query, ms: 60_000 })).toEqual([]);
  });

  it('the limits end with each transaction, so that other users of the pool do not meet them', async ({ url }) => {
    const bouncer = await startPgBouncer(url, ['default_pool_size = 1']);
    const client = connect(bouncer.url);
    await client.$queryRaw`SELECT ${1}::int`;
    await client.$transaction((transaction) => transaction.organization.count());
    const shown = 'SHOW statement_timeout';
    expect(await client.$queryRawUnsafe(shown)).toEqual([{ statement_timeout: '600ms' }]);
    expect(await runSql(bouncer.url, shown)).toEqual([{ statement_timeout: '0' }]);
  });

  it('the whole service works: it migrates, answers, streams and stops', { timeout: 60_000 }, async () => {
    const storage = await createTestDatabase();
    const bouncer = await startPgBouncer(storage.url);
    const environment = { DATABASE_URL: bouncer.url, DIRECT_DATABASE_URL: storage.url };
    await using service = await startTestService({ storage, environment });
    const other = await service.addNode();
    const ada = await service.person();
    service.model.enqueue([text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const seen = [];
    for await (const event of await service.clientOf(other, ada.token).stream(sent)) seen.push(event.event);
    expect(seen.at(-1)).toBe('done');
    expect(await ada.rest.answer(sent)).toMatchObject([{ contents: [{ type: 'text', text: 'Hello' }] }]);
  });

  it('a forgotten DIRECT_DATABASE_URL is one message that says what to do', async ({ url }) => {
    const bouncer = await startPgBouncer(url);
    const { status, stderr } = await skein(['serve'], { DATABASE_URL: bouncer.url });
    expect(status).toBe(1);
    const lines = stderr.trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '').msg).toBe(
      'DATABASE_URL leads to a connection pooler, and Skein also needs sessions of the server itself, for migrations and ' +
        'notifications. Set DIRECT_DATABASE_URL to the address of the server.',
    );
  });
});

describe('limits that travel with each transaction', () => {
  it('change nothing in what statements return, and in their errors', async ({ url }) => {
    const client = connect(url, { preparedStatements: true });
    for (const _ of [1, 2, 3, 4]) {
      expect(await client.$queryRaw`SELECT n, 'a' AS letter FROM generate_series(1, ${2}::int) AS n`).toEqual([
        { n: 1, letter: 'a' },
        { n: 2, letter: 'a' },
      ]);
      expect(await client.$executeRaw`UPDATE organization SET name = ${'new'}`).toBe(0);
      await expect(client.$queryRaw`SELECT ${1}::int / 0`).rejects.toThrow(/division by zero/);
      expect(await client.$transaction([client.organization.count(), client.user.count()])).toEqual([0, 0]);
      const inTransaction = (transaction: Pick<typeof client, '$queryRaw'>) => transaction.$queryRaw`SELECT 1 AS one`;
      expect(await client.$transaction(inTransaction)).toEqual([{ one: 1 }]);
    }
    await client.organization.create({ data: { slug: 'acme', name: 'Acme' } });
    await expect(client.organization.create({ data: { slug: 'acme', name: 'Acme' } })).rejects.toThrow(/[Uu]nique/);
    expect(await client.organization.count()).toBe(1);
  });

  it('leave a statement usable whose first preparation failed', async ({ url }) => {
    const client = connect(url, { preparedStatements: true, maxConnections: 1 });
    const ask = () => client.$queryRaw`SELECT count(*)::int AS count FROM later WHERE id > ${0}`;
    for (const _ of [1, 2, 3]) await expect(ask()).rejects.toThrow(/does not exist/);
    await runSql(url, 'CREATE TABLE later (id int)');
    for (const _ of [1, 2, 3]) expect(await ask()).toEqual([{ count: 0 }]);
  });

  it('a backup and a restore are refused without DIRECT_DATABASE_URL, and work with it', async ({ url }) => {
    const bouncer = await startPgBouncer(url);
    const pooled = { DATABASE_URL: bouncer.url };
    for (const name of ['backup', 'restore']) {
      const refused = await command([name, '-'], pooled);
      expect(refused).toMatchObject({ status: 1, stdout: '' });
      expect(refused.stderr).toMatch(
        /leads to a connection pooler.* Set DIRECT_DATABASE_URL to the address of the server\.\n$/,
      );
    }
    const direct = await skein(['backup', '-'], { ...pooled, DIRECT_DATABASE_URL: url });
    expect(direct).toMatchObject({ status: 0, stderr: '' });
    const locks =
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    expect(await runSql(url, locks)).toEqual([]);
  });
});
