/** A connection that falls silent while the schema is looked at: no error ever says that nobody is there any more. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { readMigrations } from '../../src/database/migrations/folder.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { createEmptyDatabase } from '../support/database/database.js';
import { FaultyProxy } from '../support/network/faulty-proxy.js';
import { runSql } from '../support/server.js';
import { logger } from '../support/silent-logger.js';

const connections =
  "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'skein migrate'";

const silences = ['server_version_num', 'pg_advisory_xact_lock', 'COMMIT'];

it('migrate without an answer to its first question, to the wait for other processes or to the end of a migration gives up, closes its connection and can be run again', {
  timeout: 60_000,
}, async () => {
  await using database = await createEmptyDatabase();
  const { url } = database;
  const { proxy, url: proxied } = await FaultyProxy.before(url);
  onTestFinished(() => proxy.close());
  for (const about of silences) {
    proxy.lose({ about, isSilent: true });
    const silenced = migrate({ url: proxied, logger, lockLimitMs: 50, answerLimitMs: 950 });
    await expect(silenced, about).rejects.toThrow('The database did not answer for 1 s.');
    await vi.waitFor(async () => expect(await runSql(url, connections)).toEqual([{ count: 0 }]), { timeout: 20_000 });
  }
  await migrate({ url, logger });
  const applied = await runSql(url, 'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL');
  expect(applied).toHaveLength((await readMigrations()).length);
});
