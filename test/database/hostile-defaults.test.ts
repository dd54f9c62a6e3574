/**
 * A server of PostgreSQL 15 whose defaults are anything but ours, of the server, of the database and of the role: times keep their
 * moment, everything can be read, and tables are found, directly and behind a pooler.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command } from '../cli/command.js';
import { InstalledPostgres, installedBinDir } from '../support/database/installed-postgres.js';
import { text } from '../support/model/model-script.js';
import { hasPgBouncer, pgBouncerNote, startPgBouncer } from '../support/network/pgbouncer.js';
import { runSql } from '../support/server.js';
import { startTestService } from '../support/service.js';

const far = {
  newYork: { timezone: 'America/New_York', datestyle: 'German' },
  kolkata: { timezone: 'Asia/Kolkata', datestyle: 'SQL, DMY' },
  kiritimati: { timezone: 'Pacific/Kiritimati', datestyle: 'Postgres, MDY' },
};
const others = {
  intervalstyle: 'iso_8601',
  bytea_output: 'escape',
  standard_conforming_strings: 'off',
  search_path: 'elsewhere',
  default_transaction_isolation: 'serializable',
};

const minute = 60_000;

/** How many hours a time is off, which no busy machine makes of a moment. */
function hoursSince(before: number, time: number): number {
  return Math.abs(Math.round((time - before) / (60 * minute)));
}

describe.skipIf(!installedBinDir)('a server with other defaults', () => {
  let server: InstalledPostgres;

  beforeAll(async () => {
    server = await InstalledPostgres.start(far.kiritimati);
  });

  afterAll(() => server.end());

  /** A database for which, and for whose role, these are the defaults. */
  async function databaseWith(name: string, ofDatabase: Record<string, string>, ofRole: Record<string, string> = {}) {
    const database = await server.create(name);
    const assign = ([key, value]: [string, string]) => `SET ${key} = ${key === 'search_path' ? value : `'${value}'`}`;
    const role = new URL(database.url).username;
    await runSql(
      database.url,
      'CREATE SCHEMA elsewhere',
      ...Object.entries(ofDatabase).map((entry) => `ALTER DATABASE ${name} ${assign(entry)}`),
      ...Object.entries(ofRole).map((entry) => `ALTER ROLE ${role} IN DATABASE ${name} ${assign(entry)}`),
    );
    return database;
  }

  /** Uses what reads and writes times, texts, files and intervals, and expects each as it was meant. */
  async function expectEverythingWorks(service: Awaited<ReturnType<typeof startTestService>>) {
    const before = Date.now();
    const ada = await service.person();
    service.model.enqueue([text('A back\\slash and an answer')]);
    const sent = await ada.rest.createThread({ text: "Hi \\' there" });
    expect(await ada.rest.answer(sent)).toMatchObject([{ contents: [{ text: 'A back\\slash and an answer' }] }]);
    const { body: thread } = await ada.rest.get<{ created_at: string }>(`/threads/${sent.threadId}`);
    expect(hoursSince(before, Date.parse(thread.created_at))).toBe(0);
    const updatedSince = async (ms: number) => {
      const { body } = await ada.rest.get<{ data: unknown[] }>(
        `/threads?updated_since=${new Date(before + ms).toISOString()}`,
      );
      return body.data.length;
    };
    expect([await updatedSince(-minute), await updatedSince(60 * minute)]).toEqual([1, 0]);
    const lasting = await service.token(ada.id, ['threads:read'], new Date(before + 60 * minute));
    const ended = await service.token(ada.id, ['threads:read'], new Date(before - minute));
    const statusOf = async (token: string) => (await service.client(token).get(`/threads/${sent.threadId}`)).status;
    expect([await statusOf(lasting), await statusOf(ended)]).toEqual([200, 401]);
    const [row] = await service.database.message.findMany({ where: { id: sent.messageId } });
    expect(row?.createdAt && hoursSince(before, row.createdAt.getTime())).toBe(0);
  }

  it('PostgreSQL 15, whose role is on the time of New York, with dates in the German form, and everything else other than usual', async () => {
    await using service = await startTestService({
      storage: await databaseWith('new_york', far.kolkata, { ...far.newYork, ...others }),
    });
    await expectEverythingWorks(service);
  });

  it('a URL that asks for such settings itself', async () => {
    const storage = await databaseWith('by_url', {});
    const url = `${storage.url}&options=${encodeURIComponent('-c timezone=Asia/Kolkata -c datestyle=German -c search_path=elsewhere')}`;
    await using service = await startTestService({ storage: { ...storage, url } });
    await expectEverythingWorks(service);
  });

  it.skipIf(!hasPgBouncer)(`behind PgBouncer in transaction mode${pgBouncerNote}`, async () => {
    const storage = await databaseWith('pooled', others, far.kolkata);
    const bouncer = await startPgBouncer(storage.url);
    await using service = await startTestService({
      storage,
      environment: { DATABASE_URL: bouncer.url, DIRECT_DATABASE_URL: storage.url },
    });
    await expectEverythingWorks(service);
  });

  it('a backup of such a database is read on any other', async () => {
    const storage = await databaseWith('copied', far.newYork, { ...far.kolkata, ...others });
    await using service = await startTestService({ storage });
    const ada = await service.person();
    const before = await service.database.user.findUniqueOrThrow({ where: { id: ada.id } });
    const file = `${server.socketDir}/copy`;
    expect(await command(['backup', file], { DATABASE_URL: storage.url })).toMatchObject({ status: 0 });
    const restored = await databaseWith('restored', far.kolkata);
    expect(await command(['restore', file], { DATABASE_URL: restored.url })).toMatchObject({ status: 0 });
    await using other = await startTestService({ storage: restored });
    expect(await other.service.database.user.findUniqueOrThrow({ where: { id: ada.id } })).toEqual(before);
  });
});
