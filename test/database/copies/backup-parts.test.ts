/**
 * A backup is taken as it is read, a part at a time, however large the database and its rows are. What that comes to in memory is
 * seen in `test/cli/copies/memory.stress.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { takeBackup } from '../../../src/database/backup/take-backup.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { runSql } from '../../support/server.js';

const megabyte = 1024 * 1024;
/** More than sockets hold. */
const rowBytes = 20 * megabyte;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await runSql(
    database.url,
    `INSERT INTO service_secret SELECT 'large', repeat('x', ${rowBytes})`,
    `INSERT INTO service_secret SELECT n::text, 'small' FROM generate_series(1, 10) n`,
  );
});
afterAll(() => database.drop());

describe('a backup', () => {
  it('comes in parts of less than a megabyte, however large a row is', async () => {
    const sizes: number[] = [];
    for await (const { length } of takeBackup({ url: database.url })) sizes.push(length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(rowBytes);
    expect(Math.max(...sizes)).toBeLessThan(megabyte);
  });

  it('has the database wait while nobody reads on', async () => {
    const parts = takeBackup({ url: database.url });
    let part = await parts.next();
    while (!part.value?.includes('xxx')) part = await parts.next();
    const waits = `SELECT wait_event FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY %'`;
    await vi.waitFor(async () => expect(await runSql(database.url, waits)).toEqual([{ wait_event: 'ClientWrite' }]), {
      timeout: 30_000,
    });
    await parts.return();
  });
});
