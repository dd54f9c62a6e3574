import pg from 'pg';
import { describe, expect } from 'vitest';
import { removeExpired } from '../../../support/database/remove-expired.js';
import { newcomersTest } from '../../../support/fixtures/service.js';
import type { Person } from '../../../support/service.js';
import { addThread, addThreads, collectPages, listIds, listThreads } from '../../../support/threads.js';
import { ThreadChanges } from './thread-changes.js';

const it = newcomersTest()
  .extend('pool', { scope: 'file' }, ({ service }, { onCleanup }) => {
    const pool = new pg.Pool({ connectionString: service.storage.url, lock_timeout: 3000 });
    onCleanup(() => pool.end());
    return pool;
  })
  /** Six threads of Ada; the first is the last updated. */
  .extend('ids', { auto: true }, async ({ service, ada }) => {
    const now = Date.now();
    return addThreads(
      service,
      ada,
      [1, 2, 3, 4, 5, 6].map((seconds) => ({ createdAt: new Date(now - seconds * 1000) })),
    );
  })
  .extend(
    'changes',
    { auto: true },
    ({ service, pool, ada, ids }) => new ThreadChanges({ service, pool, owner: ada, ids }),
  );

const newestFirst = { sort_by: 'updated_at', sort_dir: 'desc' };
const oldestFirst = { sort_by: 'updated_at', sort_dir: 'asc' };

/** What follows the first page, page by page. */
async function goOn(ada: Person, after: string | null, limit: number): Promise<string[]> {
  const page = await listThreads(ada.rest, { ...newestFirst, limit, after: String(after) });
  const served = page.data.map(({ id }) => id);
  return page.has_more ? [...served, ...(await goOn(ada, page.last_id, limit))] : served;
}

describe('GET /threads › pages by the last update, newest first', () => {
  it('return every thread where it stood at the first page', async ({ pool, ada, ids, changes }) => {
    const { last_id } = await listThreads(ada.rest, { ...newestFirst, limit: 1 });
    await changes.make([{ do: 'move', thread: 5, times: 1 }], []);
    // Both may be made within a millisecond, and then the ids would decide.
    await pool.query('SELECT pg_sleep(0.002)');
    await changes.make([{ do: 'move at one moment', threads: [0, 2, 3] }], []);
    const { data } = await listThreads(ada.rest, { ...newestFirst, after: String(last_id) });
    expect(data.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(data.map(({ updated_at, created_at }) => updated_at > created_at)).toEqual([false, true, true, false, true]);
    expect(await listIds(ada.rest)).toEqual([...[ids[3], ids[2], ids[0]], ids[5], ids[1], ids[4]]);
  });

  it('return a thread that moved after 40 days, even after housekeeping', async ({ service, pool, ada, ids }) => {
    const rested = await addThread(service, ada, { createdAt: new Date(Date.now() - 40 * 86_400_000) });
    const { last_id } = await listThreads(ada.rest, { ...newestFirst, limit: 1 });
    await pool.query('UPDATE thread SET updated_at = now() WHERE id = $1', [rested]);
    await removeExpired(service.database, 'thread_positions');
    expect(await goOn(ada, last_id, 2)).toEqual([...ids.slice(1), rested]);
  });

  it('return a thread restored from a server with a higher counter', async ({ pool, ada, ids, changes }) => {
    await pool.query(
      `SET session_replication_role = replica;
       UPDATE thread SET moved_xid = 1e15, updated_at = updated_at - interval '1 hour'; RESET ALL`,
    );
    const { last_id } = await listThreads(ada.rest, { ...newestFirst, limit: 1 });
    await changes.make([{ do: 'move', thread: 3, times: 2 }], []);
    expect(await goOn(ada, last_id, 2)).toEqual(ids.slice(1));
  });

  it('do not return what is created after the first one', async ({ ada, ids, changes }) => {
    const { last_id } = await listThreads(ada.rest, { ...newestFirst, limit: 2 });
    await changes.make([{ do: 'create' }, { do: 'post' }], []);
    expect(await goOn(ada, last_id, 2)).toEqual(ids.slice(2));
  });

  it('return a thread once, however often it moves, before or after it was returned', async ({ ada, ids, changes }) => {
    const { last_id } = await listThreads(ada.rest, { ...newestFirst, limit: 2 });
    await changes.make(
      [0, 1, 4].map((thread) => ({ do: 'move', thread, times: 40 })),
      [],
    );
    expect(await goOn(ada, last_id, 2)).toEqual(ids.slice(2));
  });

  it('return no thread that was created after the first one and moved often', async ({ service, pool, ada, ids }) => {
    const { last_id } = await listThreads(ada.rest, { ...newestFirst, limit: 2 });
    const [id = ''] = await addThreads(service, ada, [{}]);
    const later = new ThreadChanges({ service, pool, owner: ada, ids: [id] });
    await later.make([{ do: 'move', thread: 0, times: 40 }], []);
    expect(await goOn(ada, last_id, 3)).toEqual(ids.slice(2));
  });

  it('return a thread where it stood if its move was in progress at the first page', async ({ ada, ids, changes }) => {
    await changes.make([{ do: 'move and commit late', thread: 5, pages: 1, commits: true }], []);
    const { last_id, data } = await listThreads(ada.rest, { ...newestFirst, limit: 3 });
    await changes.pageWasRead();
    expect([...data.map(({ id }) => id), ...(await goOn(ada, last_id, 2))]).toEqual(ids);
    expect((await listIds(ada.rest))[0]).toBe(ids[5]);
  });

  it('keep their snapshot while the same caller pages in another order', async ({ ada, ids, changes }) => {
    const { last_id } = await listThreads(ada.rest, { ...newestFirst, limit: 2 });
    await changes.make([{ do: 'move', thread: 5, times: 1 }], []);
    for (const sortBy of ['updated_at', 'created_at'])
      await collectPages(ada.rest, { ...oldestFirst, sort_by: sortBy, limit: 1 });
    expect(await goOn(ada, last_id, 2)).toEqual(ids.slice(2));
  });

  it('begin with a new snapshot without after', async ({ ada, ids, changes }) => {
    await listThreads(ada.rest, { ...newestFirst, limit: 2 });
    await changes.make([{ do: 'move', thread: 5, times: 1 }], []);
    expect(await collectPages(ada.rest, { ...newestFirst, limit: 1 })).toEqual([ids[5], ...ids.slice(0, 5)]);
  });
});

describe('GET /threads › pages by the last update, oldest first', () => {
  it('return what moves again at the end, in its new state', async ({ ada, ids, changes }) => {
    const { last_id, data } = await listThreads(ada.rest, { ...oldestFirst, limit: 2 });
    expect(data.map(({ id }) => id)).toEqual([ids[5], ids[4]]);
    await changes.make([{ do: 'move', thread: 5, times: 1 }], []);
    const rest = await listThreads(ada.rest, { ...oldestFirst, after: String(last_id) });
    expect(rest.data.map(({ id }) => id)).toEqual([ids[3], ids[2], ids[1], ids[0], ids[5]]);
    expect(String(rest.data.at(-1)?.updated_at) > String(data[0]?.updated_at)).toBe(true);
  });

  it('skip nothing if the last thread returned moves to the end', async ({ ada, ids, changes }) => {
    const { last_id } = await listThreads(ada.rest, { ...oldestFirst, limit: 2 });
    await changes.make([{ do: 'move', thread: 4, times: 20 }], []);
    const rest = await listIds(ada.rest, { ...oldestFirst, after: String(last_id) });
    expect(rest).toEqual([ids[3], ids[2], ids[1], ids[0], ids[4]]);
  });
});
