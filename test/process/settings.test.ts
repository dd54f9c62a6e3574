/** What the configuration makes of leases, deadlines, and the sizes of the database. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.js';
import { safeLeaseMs } from '../../src/modules/responses/worker/lease-settings.js';
import { openDatabase } from '../../src/process/open-database.js';
import { defaultProcessSettings, settingsOf } from '../../src/process/settings.js';
import { directoryWithCluster } from '../database/sandbox.js';
import { runSql } from '../support/server.js';
import { logger } from '../support/silent-logger.js';

describe('the settings of a process', () => {
  it('are the defaults where nothing is configured', () => {
    expect(settingsOf(readConfig({}))).toEqual(defaultProcessSettings);
  });

  it('take the deadlines of the configuration', () => {
    const environment = {
      AI_RESPONSE_SECONDS: '3600',
      AI_FIRST_TOKEN_SECONDS: '600',
      AI_SILENCE_SECONDS: '240',
      AI_CALLS_PER_RESPONSE: '2',
      LEASE_SECONDS: '30',
    };
    expect(settingsOf(readConfig(environment))).toMatchObject({
      lease: { leaseMs: 30_000, heartbeatMs: 6_000, pollMs: 1000, deadlineMs: 3_600_000 },
      limits: { firstEventMs: 600_000, silenceMs: 240_000, totalMs: 3_600_000 },
      retry: { maxCalls: 2 },
    });
  });

  it.each(['3', '4', '6', '60', '300'])('renew a lease of %s s twice before it counts as lost', (LEASE_SECONDS) => {
    const { lease } = settingsOf(readConfig({ LEASE_SECONDS }));
    expect(2 * lease.heartbeatMs).toBeLessThan(safeLeaseMs(lease));
    expect(lease.heartbeatMs + lease.pollMs).toBeLessThan(lease.leaseMs);
  });
});

it('the embedded database has the memory that is configured, and the connections for all processes', async () => {
  const DATA_DIR = await directoryWithCluster();
  const config = readConfig({ DATA_DIR, DATABASE_MEMORY: '32', DATABASE_CONNECTIONS: '40', PROCESSES: '3' });
  const database = await openDatabase(config, logger);
  onTestFinished(() => database.close());
  const settings = `SELECT current_setting('shared_buffers') AS memory, current_setting('max_connections')::int AS connections`;
  expect(await runSql(database.url, settings)).toEqual([{ memory: '32MB', connections: 3 * 43 + 23 }]);
});
