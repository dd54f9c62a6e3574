/**
 * After an upgrade a search answers from the vectors that were stored before, until the service has made them again in the
 * background: in small batches, from the newest row on, without changing anything else and without waiting for anybody.
 */
import { pino } from 'pino';
import { describe, expect, onTestFinished, vi } from 'vitest';
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { createPrismaClient } from '../../../../src/database/client.js';
import { migrate } from '../../../../src/database/migrations/migrate.js';
import { findMatches } from '../../../../src/modules/threads/list/find-matches.js';
import { rebuildSome } from '../../../../src/modules/threads/list/rebuild-search.js';
import { SearchRebuild } from '../../../../src/process/search-rebuild.js';
import { createEmptyDatabase } from '../../../support/database/database.js';
import { refold, storeFormerly } from '../../../support/database/former-vectors.js';
import { migrationsBefore, oldRows } from '../../../support/database/older-version.js';
import { holding } from '../../../support/database/waiting-statements.js';
import { serviceTest } from '../../../support/fixtures/service.js';
import { runSql } from '../../../support/server.js';
import { type Person, startTestService, type TestService, withoutWorker } from '../../../support/service.js';
import { logger } from '../../../support/silent-logger.js';
import { addThreads, collectThreads, newcomer, personWithThreads } from '../../../support/threads.js';
import { storeMessages } from '../../messages/stored-messages.js';

const it = serviceTest(withoutWorker);

async function find(person: Person, q: string): Promise<(string | null)[]> {
  return (await collectThreads(person.rest, { q })).map(({ name }) => name);
}

function foldFormerly(service: TestService): Promise<void> {
  return storeFormerly(service, refold('thread'), refold('message'));
}

async function rebuildAll(database: PrismaClient): Promise<void> {
  await vi.waitFor(async () => expect(await rebuildSome(database)).toBe('finished'), { timeout: 30_000, interval: 1 });
}

/** How many rows of the table have the vector of before. */
async function oldVectors({ storage }: TestService, table: string): Promise<number> {
  const [row] = await runSql(
    storage.url,
    `SELECT count(*)::int AS count FROM ${table} WHERE NOT search @@ '''Folded'''`,
  );
  return (row as { count: number }).count;
}

describe('search › rebuild', () => {
  it('answers from the old vectors meanwhile, and from the new ones of what is stored since', async ({ service }) => {
    const person = await personWithThreads(service, ['Łódź', 'candle', 'C++ wine', 'beer -Ø']);
    const [told = ''] = await addThreads(service, person, [{ name: 'told', createdAt: new Date(0) }]);
    await storeMessages(service, told, [{ contents: [{ type: 'text', text: 'In der Straße' }] }]);
    await foldFormerly(service);
    await addThreads(service, person, [{ name: 'new Łódź' }, { name: 'new C++' }, { name: 'new candle' }]);

    expect(await find(person, 'Łódź')).toEqual(expect.arrayContaining(['Łódź', 'new Łódź']));
    expect(await find(person, 'lodz')).toEqual(['new Łódź']);
    expect(await find(person, 'łódź')).toHaveLength(2);
    expect(await find(person, 'straße')).toEqual(['told']);
    expect(await find(person, 'strasse')).toEqual([]);
    expect((await find(person, 'c++')).sort()).toEqual(['C++ wine', 'candle', 'new C++']);
    expect((await find(person, 'candle -łódź')).sort()).toEqual(['candle', 'new candle']);
    expect(await find(person, 'wine -straße')).toEqual(['C++ wine']);

    await rebuildAll(service.database);
    expect((await find(person, 'lodz')).sort()).toEqual(['new Łódź', 'Łódź']);
    expect(await find(person, 'strasse')).toEqual(['told']);
    expect((await find(person, 'c++')).sort()).toEqual(['C++ wine', 'new C++']);
  });

  it('marks what was found in either', async ({ service, database }) => {
    const person = await newcomer(service);
    const viewer = await service.viewerOf(person);
    const [old = ''] = await addThreads(service, person, [{ name: 'Straße C++ and candle' }]);
    await foldFormerly(service);
    const [young = ''] = await addThreads(service, person, [{ name: 'Straße C++ and candle' }]);
    const marked = async (q: string) => {
      const matches = await findMatches(database, viewer, { q, threadIds: [old, young] });
      return [old, young].map((id) => matches.get(id)?.parts.flatMap(({ text, isHit }) => (isHit ? [text] : [])));
    };
    expect(await marked('straße')).toEqual([['Straße'], ['Straße']]);
    expect(await marked('c++')).toEqual([['C++', 'candle'], ['C++']]);
  });

  it('begins when the service starts on the database of an older version, which it says when it has ended', async () => {
    const storage = await createEmptyDatabase();
    await migrate({ url: storage.url, logger, folder: await migrationsBefore('20261126030000') });
    const titled = `INSERT INTO thread (id, organization_id, owner_id, generated_name, created_at, updated_at)
      SELECT 'thr_2', organization_id, owner_id, 'Tea for two', created_at, updated_at FROM thread`;
    await runSql(storage.url, ...oldRows, `UPDATE thread SET name = 'Łódź'`, titled);
    await using service = await startTestService({ ...withoutWorker, storage });
    await vi.waitFor(async () => expect(await oldVectors(service, 'thread')).toBe(0), { timeout: 30_000 });
    await vi.waitFor(
      () => expect(service.log.join('')).toContain('"table":"message","rows":1,"msg":"the index of words was'),
      { timeout: 30_000 },
    );
    const client = service.client(await service.token('usr_1', ['threads:read']));
    expect(await collectThreads(client, { q: 'lodz' })).toMatchObject([{ id: 'thr_1' }]);
    // The model gave this title before titles were searched.
    expect(await collectThreads(client, { q: 'tea' })).toMatchObject([{ id: 'thr_2' }]);
  });

  it('changes nothing but the vectors, so that no feed has anything to tell', async ({ service, ada }) => {
    await addThreads(service, ada, [{ name: 'Łódź' }]);
    await foldFormerly(service);
    const rows = () => service.sql(`SELECT to_jsonb(t) - 'search' AS thread FROM thread t ORDER BY id`);
    const before = await rows();
    await rebuildAll(service.database);
    expect(await oldVectors(service, 'thread')).toBe(0);
    expect(await rows()).toEqual(before);
  });

  it('takes batches, the newest first, and goes on where another process stopped', async ({ service, database }) => {
    const person = await newcomer(service);
    const [id = ''] = await addThreads(service, person, [{}]);
    const say = (text: string) => ({ contents: [{ type: 'text' as const, text }] });
    const ids = await storeMessages(service, id, [
      say('one'),
      say('two'),
      say('x'.repeat(9_000)),
      say('four'),
      say('five'),
    ]);
    await foldFormerly(service);
    const left = async () => {
      const rows = await database.$queryRaw<{ id: string }[]>`
        SELECT id FROM message WHERE thread_id = ${id} AND NOT search @@ '''Folded''' ORDER BY sequence`;
      return rows.map((row) => ids.indexOf(row.id));
    };
    await vi.waitFor(async () => expect(await rebuildSome(database)).toMatchObject({ table: 'message' }), {
      ...{ timeout: 30_000, interval: 1 },
    });
    await foldFormerly(service);
    await service.sql(
      `INSERT INTO search_rebuild (table_name, finished_at) VALUES ('thread', now())`,
      `UPDATE message SET contents = contents WHERE thread_id <> '${id}'`,
    );
    const steps: number[][] = [];
    for (let rest = await left(); rest.length > 0; rest = await left()) {
      await rebuildSome(database, { rows: 2, bytes: 5_000 });
      const now = await left();
      if (now.length < rest.length) steps.push(now);
    }
    expect(steps).toEqual([[0, 1, 2], [0, 1], []]);
  });

  it('passes over a row that somebody is changing, and comes back to it', async ({ service, database }) => {
    const person = await personWithThreads(service, ['Łódź', 'Ødegård']);
    await foldFormerly(service);
    const other = createPrismaClient({ url: service.storage.url, applicationName: 'test', maxConnections: 2, logger });
    onTestFinished(() => other.$disconnect());
    const log: string[] = [];
    const rebuild = new SearchRebuild({
      database: other,
      logger: pino({}, { write: (line) => log.push(line) }),
      retryMs: 20,
    });
    await database.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT id FROM thread WHERE name = 'Łódź' AND owner_id = ${person.id} FOR UPDATE`;
      rebuild.start();
      await vi.waitFor(async () => expect(await oldVectors(service, 'thread')).toBe(1), { timeout: 30_000 });
      await vi.waitFor(
        async () =>
          expect(await database.searchRebuild.findUnique({ where: { tableName: 'thread' } })).toMatchObject({
            leftOver: [expect.any(String)],
            finishedAt: null,
          }),
        { timeout: 30_000 },
      );
      expect(await find(person, 'odegard')).toEqual(['Ødegård']);
    }, holding);
    await rebuild.ended;
    expect(await find(person, 'lodz')).toEqual(['Łódź']);
    expect(log.filter((line) => line.includes('the index of words was made again')).length).toBeGreaterThan(0);
  });

  it('is done by one process for each table, and by another one when that has ended', async ({ service, database }) => {
    await personWithThreads(service, ['Łódź']);
    await foldFormerly(service);
    await rebuildSome(database, { rows: 1, bytes: 1 });
    await database.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT table_name FROM search_rebuild FOR UPDATE`;
      expect(await rebuildSome(database)).toBe('busy');
    }, holding);
    await rebuildAll(database);
    expect(await oldVectors(service, 'thread')).toBe(0);
  });

  it('tells in the log how far it is, and goes on after a failure', async ({ service, database }) => {
    await personWithThreads(service, ['one', 'two', 'three']);
    await foldFormerly(service);
    const log: string[] = [];
    const batch = { rows: 1, bytes: 1 };
    const logger = pino({}, { write: (line) => log.push(line) });
    const failing = vi.spyOn(database, '$transaction').mockRejectedValueOnce(new Error('away'));
    onTestFinished(() => failing.mockRestore());
    const rebuild = new SearchRebuild({ database, logger, batch, retryMs: 1, reportMs: 0 });
    rebuild.start();
    await rebuild.ended;
    const lines = log.map((line) => JSON.parse(line) as { msg: string; table?: string; rows?: number; share?: string });
    expect(lines[0]?.msg).toContain('could not be made again');
    const told = lines.filter(({ table, share }) => table === 'thread' && share);
    expect(told.map(({ rows }) => rows)).toEqual(told.map((_, index) => index + 1));
    expect(told.at(-1)?.share).toBe('100 %');
    expect(lines.at(-1)).toMatchObject({ table: 'message', msg: 'the index of words was made again' });
  });
});
