import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openCommandDatabase } from '../../src/database/command-database.js';
import { tryLock } from '../../src/database/embedded/instance-lock.js';
import { runningPostmaster } from '../../src/database/embedded/process/postmaster-pid.js';
import { runSql } from '../support/server.js';
import { logger } from '../support/silent-logger.js';
import { directoryWithCluster, startServer } from './sandbox.js';

describe('a command of the command line', () => {
  it('uses the database of the running service and leaves it running', async () => {
    const dataDir = await directoryWithCluster();
    const service = await startServer(dataDir);
    const database = await openCommandDatabase({ dataDir, logger });
    expect(database.url).toBe(service.url);
    await runSql(database.url, 'CREATE TABLE made_by_command ()');
    await database.close();
    expect(await runSql(service.url, 'SELECT count(*)::int FROM made_by_command')).toEqual([{ count: 0 }]);
  });

  it('starts the database if no service runs, and stops it at its end', async () => {
    const dataDir = await directoryWithCluster();
    const database = await openCommandDatabase({ dataDir, logger });
    expect(await runSql(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
    expect(await runningPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });

  it('waits for its turn while another command is at work, instead of sharing a server that will be stopped', async () => {
    const dataDir = await directoryWithCluster();
    const first = await openCommandDatabase({ dataDir, logger });
    let opened = false;
    const second = openCommandDatabase({ dataDir, logger }).then((database) => {
      opened = true;
      return database;
    });
    await runSql(first.url, 'SELECT pg_sleep(0.2)');
    expect(opened).toBe(false);
    await first.close();
    const database = await second;
    expect(await runSql(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
  });

  it('says whom it waits for, and gives up, if a service holds the directory but its database does not become ready', async () => {
    const dataDir = await directoryWithCluster();
    const lock = await tryLock(dataDir, 'serve');
    if (Array.isArray(lock)) throw new Error('the directory was not free');
    const lines: string[] = [];
    const logger = pino({}, { write: (line) => lines.push(line) });
    const open = openCommandDatabase({ dataDir, logger, waitMs: 1000 });
    const busy = `The process ${process.pid} has the data directory ${dataDir}, and its database has not become ready.`;
    await expect(open).rejects.toThrow(busy);
    expect(lines).toEqual([expect.stringContaining(`${busy} Waiting for it for up to 1 s.`)]);
    await lock.release();
  });
});
