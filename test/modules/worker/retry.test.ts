import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { createPrismaClient } from '../../../src/database/client.js';
import { defaultRetrySettings, persist, retryDelayMs } from '../../../src/modules/responses/generation/retry.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';

const logger = pino({ level: 'silent' });

describe('retryDelayMs', () => {
  it('is what the provider asked for, up to the longest delay', () => {
    const delay = (retryAfterMs: number) => retryDelayMs(defaultRetrySettings, { tries: 0, retryAfterMs });
    expect([delay(0), delay(1234), delay(3_600_000)]).toEqual([0, 1234, 30_000]);
  });

  it('is otherwise random below a bound that doubles with each try, up to the longest delay', () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(1);
    const delays = [0, 1, 2, 6, 7, 100].map((tries) => {
      return retryDelayMs(defaultRetrySettings, { tries, retryAfterMs: undefined });
    });
    expect(delays).toEqual([500, 1000, 2000, 30_000, 30_000, 30_000]);
    random.mockReturnValue(0);
    expect(retryDelayMs(defaultRetrySettings, { tries: 3, retryAfterMs: undefined })).toBe(0);
    random.mockRestore();
  });
});

describe('persist', () => {
  let storage: TestDatabase;
  let database: PrismaClient;
  beforeAll(async () => {
    storage = await createTestDatabase();
    database = createPrismaClient({ url: storage.url, applicationName: 'retry test', maxConnections: 1, logger });
  });
  afterAll(async () => {
    await database.$disconnect();
    await storage.drop();
  });

  const { signal } = new AbortController();

  it('repeats a statement whose connection is lost until it is answered', async () => {
    let tries = 0;
    const statement = async () => {
      tries += 1;
      if (tries < 4) await database.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`;
      return database.$queryRaw`SELECT 1 AS one`;
    };
    expect(await persist({ signal, logger }, statement)).toEqual([{ one: 1 }]);
    expect(tries).toBe(4);
  });

  it('repeats a statement that had to wait too long for a lock', async () => {
    let tries = 0;
    const statement = async () => {
      tries += 1;
      return tries < 2
        ? database.$queryRaw`DO $$ BEGIN RAISE SQLSTATE '55P03'; END $$`
        : database.$queryRaw`SELECT 1 AS one`;
    };
    expect(await persist({ signal, logger }, statement)).toEqual([{ one: 1 }]);
  });

  it.each([
    ['a value out of range', () => database.$queryRaw`SELECT ${1e12}::int`],
    ['a constraint', () => database.$executeRaw`INSERT INTO organization (slug, name) VALUES ('a', 'a'), ('a', 'a')`],
    ['a limit of the server', () => database.$queryRaw`SELECT ${'x'.repeat(3000)}::tsvector::text`],
    ['a mistake', () => database.$queryRaw`SELECT nothing FROM nowhere`],
  ])('gives up at once what the database refuses each time: %s', async (_name, statement) => {
    const spy = vi.fn(statement);
    await expect(persist({ signal, logger }, spy)).rejects.toThrow();
    expect(spy).toHaveBeenCalledOnce();
  });

  it('gives up, with the last error, when its signal aborts', async () => {
    const abort = new AbortController();
    const statement = vi.fn(async () => {
      if (statement.mock.calls.length === 3) abort.abort();
      throw new Error(`try ${statement.mock.calls.length}`);
    });
    await expect(persist({ signal: abort.signal, logger }, statement)).rejects.toThrow('try 3');
  });
});
