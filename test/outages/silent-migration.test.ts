/** A connection that falls silent while the schema is looked at: no error ever says that nobody is there any more. */
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readMigrations } from '../../src/database/migrations/folder.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { createEmptyDatabase } from '../support/database/database.js';
import { runSql } from '../support/server.js';
import { LosingProxy } from './stage/losing-proxy.js';

const logger = pino({ level: 'silent' });
const connections =
  "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'skein migrate'";

describe('migrate without an answer gives up, closes its connection and can be run again', () => {
  it.each([
    ['to its first question', 'server_version_num'],
    ['to the wait for other processes', 'pg_advisory_xact_lock'],
    ['to the end of a migration', 'COMMIT'],
  ])('%s', { timeout: 30_000 }, async (_what, about) => {
    const { url, drop } = await createEmptyDatabase();
    const proxy = await LosingProxy.start(url);
    onTestFinished(async () => {
      await proxy.close();
      await drop();
    });
    proxy.lose({ about, connection: 'silent', closed: false });
    const silenced = migrate({ url: proxy.urlOf(url), logger, lockLimitMs: 50, answerLimitMs: 950 });
    await expect(silenced).rejects.toThrow('The database did not answer for 1 s.');
    await vi.waitFor(async () => expect(await runSql(url, connections)).toEqual([{ count: 0 }]), { timeout: 20_000 });
    await migrate({ url, logger });
    const applied = await runSql(url, 'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL');
    expect(applied).toHaveLength((await readMigrations()).length);
  });
});
