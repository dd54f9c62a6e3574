import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPrismaClient } from '../../src/database/client.js';
import { createTestDatabase } from '../support/database/database.js';
import { runSql } from '../support/server.js';

const applicationName = 'skein worker-1';
const connections = `SELECT pid FROM pg_stat_activity WHERE application_name = '${applicationName}' AND datname = current_database()`;

const patient = { interval: 10, timeout: 30_000 };

async function openClient() {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const client = createPrismaClient({
    url: database.url,
    applicationName,
    maxConnections: 2,
    logger: pino({ level: 'silent' }),
  });
  onTestFinished(() => client.$disconnect());
  return { client, url: database.url };
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
});
