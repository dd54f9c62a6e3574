/**
 * A backup loses nothing: a copy of the database by `pg_dump` and `pg_restore`, or by a subscriber of logical replication, is
 * identical, and the service continues with it. The tools are those of the system; without them these tests are skipped.
 */
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { scopes } from '../../src/contract.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { issueToken } from '../../src/modules/identity/tokens/manage-tokens.js';
import type { MessageBody } from '../support/clients/rest-types.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { InstalledPostgres, installedBinDir } from '../support/database/installed-postgres.js';
import { migrationsBefore, oldRows } from '../support/database/older-version.js';
import { summaryOf } from '../support/database/table-summary.js';
import { fenceWith } from '../support/documents.js';
import { runSql } from '../support/server.js';
import { startTestService } from '../support/service.js';
import { logger } from '../support/silent-logger.js';
import { listThreads } from '../support/threads.js';

if (!installedBinDir) console.warn('Skipped: the programs of a PostgreSQL server (postgresql-15) are not installed.');

type Talk = Awaited<ReturnType<typeof fill>>;

/** Talks a little, so that most tables have rows. */
async function fill(storage: TestDatabase) {
  await using service = await startTestService({ storage: { ...storage, drop: () => Promise.resolve() } });
  const ada = await service.person();
  const sent = await ada.rest.createThread({ text: 'Où est le café près de 東京駅?', name: 'Ἑλλάς 東京 café' });
  await ada.rest.answer(sent);
  const private_ = await ada.rest.createThread({ text: 'A "quoted" \\ text', name: 'second', is_private: true });
  await ada.rest.answer(private_);
  return { ada, sent };
}

/** Checks that the service finds, shows and continues the thread of the restored database. */
async function expectToContinue(storage: TestDatabase, { ada, sent }: Talk, messages = 4): Promise<void> {
  await using service = await startTestService({ storage: { ...storage, drop: () => Promise.resolve() } });
  const { secret } = await issueToken(service.database, { userId: ada.id, name: 'later', scopes, expiresAt: null });
  const rest = service.client(secret);
  for (const q of ['東京駅', 'CAFE', 'ελλας']) {
    expect(
      (await listThreads(rest, { q })).data.map(({ id }) => id),
      q,
    ).toEqual([sent.threadId]);
  }
  const next = await rest.send(sent.threadId, 'And now?');
  await rest.answer(next);
  const { body } = await rest.get<{ data: MessageBody[] }>(`/threads/${sent.threadId}/messages`);
  expect(body.data).toHaveLength(messages);
}

describe.skipIf(!installedBinDir)('a backup with the tools of PostgreSQL', () => {
  let server: InstalledPostgres;
  let source: TestDatabase;
  let talk: Talk;
  beforeAll(async () => {
    server = await InstalledPostgres.start();
    source = await server.create('source');
    await migrate({ url: source.url, logger });
    talk = await fill(source);
  });
  afterAll(() => server?.end());

  it('is restored completely, and the service continues with it', async () => {
    await using custom = await server.create('custom');
    await using plain = await server.create('plain');
    const { stderr } = await server.shell('pg_dump -Fc source | pg_restore --exit-on-error -d custom');
    expect(stderr).toBe('');
    await server.shell('pg_dump source | psql -q -v ON_ERROR_STOP=1 plain');
    expect(await summaryOf(custom.url)).toEqual(await summaryOf(source.url));
    expect(await summaryOf(plain.url)).toEqual(await summaryOf(source.url));
    await expectToContinue(custom, talk);
  });

  it('is restored in two parts, the schema and then the data', async () => {
    await using parts = await server.create('parts');
    await server.shell('pg_dump -s source | psql -q -v ON_ERROR_STOP=1 parts');
    await server.shell('pg_dump -a --disable-triggers source | psql -q -v ON_ERROR_STOP=1 parts');
    expect(await summaryOf(parts.url)).toEqual(await summaryOf(source.url));
  });

  it('of an older version, which leaves threads and messages out, is rescued as the documentation says', async () => {
    await using old = await server.create('old');
    await migrate({ url: old.url, logger, folder: await migrationsBefore('20261122000200') });
    await runSql(old.url, ...oldRows);
    await using naive = await server.create('naive');
    await using rescued = await server.create('rescued');
    const dump = join(inject('testScratch'), 'old.dump');
    await server.shell(`pg_dump -Fc old > ${dump}; pg_restore -d naive ${dump} || true`);
    expect(await runSql(naive.url, "SELECT to_regclass('thread') AS thread")).toEqual([{ thread: null }]);
    const rescue = recipe('bash', 'sed ').replace('skein.dump', dump).replace('"$NEW_DATABASE_URL"', 'rescued');
    await server.shell(rescue);
    expect(await summaryOf(rescued.url)).toEqual(await summaryOf(old.url));
    await migrate({ url: rescued.url, logger });
  });

  it('can be replaced by a subscriber of logical replication that has everything and keeps up', async () => {
    await using subscriber = await server.create('subscriber');
    await server.shell('pg_dump -s source | psql -q -v ON_ERROR_STOP=1 subscriber');
    await runSql(source.url, 'CREATE PUBLICATION skein FOR ALL TABLES');
    // Two databases of one server: it would wait for itself to make the slot.
    await runSql(source.url, "SELECT pg_create_logical_replication_slot('skein', 'pgoutput')");
    await runSql(
      subscriber.url,
      `CREATE SUBSCRIPTION skein CONNECTION 'host=${server.socketDir} user=skein dbname=source'
       PUBLICATION skein WITH (create_slot = false, slot_name = 'skein')`,
    );
    const both = async () => [await summaryOf(subscriber.url, unlogged), await summaryOf(source.url, unlogged)];
    try {
      await expect.poll(async () => isSame(await both()), { timeout: 30_000 }).toBe(true);
      await expectToContinue(source, talk);
      await expect.poll(async () => isSame(await both()), { timeout: 30_000 }).toBe(true);
    } finally {
      await runSql(subscriber.url, 'DROP SUBSCRIPTION skein');
    }
    const found = await runSql(
      subscriber.url,
      `SELECT count(*)::int AS messages FROM message WHERE search @@ search_query('東京駅')`,
    );
    expect(found).toEqual([{ messages: 1 }]);
    await runSql(subscriber.url, recipe('sql', 'setval'));
    await expectToContinue(subscriber, talk, 6);
  });
});

it('the embedded database computes the same with an empty search_path, as pg_upgrade and the tools of its version do', async () => {
  await using source = await createTestDatabase();
  await using copy = await createTestDatabase();
  const talk = await fill(source);
  // The one table that is not empty in a new database of the tests.
  await runSql(copy.url, 'DELETE FROM search_rebuild');
  await copyTables(source.url, copy.url);
  expect(await summaryOf(copy.url, ['_prisma_migrations'])).toEqual(
    await summaryOf(source.url, ['_prisma_migrations']),
  );
  await runSql(copy.url, recipe('sql', 'setval'));
  await expectToContinue(copy, talk);
});

/** What pg_dump and pg_restore do with the rows: no search_path, and no triggers or constraints yet. */
async function copyTables(from: string, to: string): Promise<void> {
  const columns = (await runSql(
    from,
    `SELECT table_name AS name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS columns
     FROM information_schema.columns WHERE table_schema = 'public' AND is_generated = 'NEVER' AND table_name NOT IN ('_prisma_migrations', 'impossible_pair')
     GROUP BY table_name`,
  )) as { name: string; columns: string }[];
  const client = new pg.Client({ connectionString: to });
  await client.connect();
  try {
    await client.query(
      "SELECT set_config('search_path', '', false), set_config('session_replication_role', 'replica', false)",
    );
    for (const { name, columns: list } of columns) {
      const [row] = (await runSql(from, `SELECT json_agg(t)::text AS rows FROM public."${name}" t`)) as {
        rows: string;
      }[];
      await client.query(
        `INSERT INTO public."${name}" (${list}) SELECT ${list} FROM json_populate_recordset(NULL::public."${name}", $1)`,
        [row?.rows ?? '[]'],
      );
    }
  } finally {
    await client.end();
  }
}

/** A recipe of docs/operating.md, found by its language and some of its words. */
function recipe(language: string, words: string): string {
  return fenceWith('docs/operating.md', { language, words });
}

/** Is never written to the log of changes, and may be lost. */
const unlogged = ['rate_count', 'token_chunk'];

function isSame([left, right]: Record<string, string>[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
