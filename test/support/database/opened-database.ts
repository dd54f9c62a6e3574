/** A database with a client of the service, open while the tests of a file, or of a suite, run, or until a test ends. */
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { createPrismaClient, type PrismaClientOptions } from '../../../src/database/client.js';
import { runSql } from '../server.js';
import { logger } from '../silent-logger.js';
import { createTestDatabase, type TestDatabase } from './database.js';

type Options = Partial<PrismaClientOptions>;

const defaults = { applicationName: 'test', maxConnections: 1, logger };

/** What `fill` says comes before the tests. */
export function openedDatabase({ fill = [], ...options }: Options & { fill?: readonly string[] } = {}) {
  let storage: TestDatabase;
  let client: PrismaClient;
  beforeAll(async () => {
    storage = await createTestDatabase();
    client = createPrismaClient({ ...defaults, ...options, url: storage.url });
    await runSql(storage.url, ...fill);
  }, 3_600_000);
  afterAll(async () => {
    await client.$disconnect();
    await storage.drop();
  });
  return {
    get url() {
      return storage.url;
    },
    get client() {
      return client;
    },
  };
}

/** The address of a database for one test. */
export async function newDatabase(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  return url;
}

/** A client for one test. */
export function connected(url: string, options: Options = {}): PrismaClient {
  const client = createPrismaClient({ ...defaults, ...options, url });
  onTestFinished(() => client.$disconnect());
  return client;
}
