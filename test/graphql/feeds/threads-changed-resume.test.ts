/** `threadsChanged` for a client that was away, one that loses its signals, and one that may no more. */
import { describe, expect, vi } from 'vitest';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { TestService } from '../../support/service.js';
import { addThread, addThreads, newcomer } from '../../support/threads.js';
import { catchUp, nextChange, openFeed, presentCursor } from './threads-feed.js';

const patience = { timeout: 10_000 };

const it = serviceTest().extend('ada', { scope: 'file' }, ({ service }) => newcomer(service));

const seeds = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `thread ${n}` }));

/**
 * Waits until no transaction of the server, whose other databases are those of other tests, is older than the last change. A
 * position names those that are; when they have ended, the next position says the same without them.
 */
async function nothingEarlierUnderWay(service: TestService): Promise<void> {
  const look = () => service.database.$queryRaw`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint > max(changed_xid) AS "isSo" FROM thread`;
  await vi.waitFor(async () => expect(await look()).toEqual([{ isSo: true }]), patience);
}

describe('threadsChanged › a client that was away', () => {
  it('gets each thread that changed, once, however many and however often', async ({ service, ada, graphql }) => {
    const cursor = await presentCursor(graphql);
    const ids = await addThreads(service, ada, seeds(250));
    // Others change it with transactions of their own.
    for (const id of ids.slice(0, 5)) await service.database.thread.update({ where: { id }, data: { archived: true } });
    const events = await catchUp(graphql, cursor);
    expect(events.at(-1)?.type).toBe('ThreadsCaughtUp');
    const threads = events.slice(0, -1).map(({ thread }) => thread?.id);
    expect(threads.toSorted()).toEqual(ids.toSorted());
    const archived = events.filter(({ thread }) => thread?.archived).map(({ thread }) => thread?.id);
    expect(archived.toSorted()).toEqual(ids.slice(0, 5).toSorted());
  });

  it('may leave at any event, and resumes there without gap or repeat', async ({ service, ada, graphql }) => {
    const cursor = await presentCursor(graphql);
    const ids = await addThreads(service, ada, seeds(120));
    const all = await catchUp(graphql, cursor);
    for (const leftAt of [0, 1, 99, 100, 119]) {
      const rest = await catchUp(graphql, all[leftAt]?.cursor);
      expect(rest.map(({ thread }) => thread?.id)).toEqual(all.slice(leftAt + 1).map(({ thread }) => thread?.id));
    }
    expect(new Set(all.slice(0, -1).map(({ thread }) => thread?.id))).toEqual(new Set(ids));
  });

  it('keeps its cursor while nothing of its organization changes', async ({ service, graphql }) => {
    await nothingEarlierUnderWay(service);
    const cursor = await presentCursor(graphql);
    await addThread(service, await newcomer(service));
    expect((await catchUp(graphql, cursor)).map(({ type, cursor: next }) => [type, next])).toEqual([
      ['ThreadsCaughtUp', cursor],
    ]);
  });

  it('gets changes that were uncommitted when it left, though it has later ones', async ({ service, ada, graphql }) => {
    const cursor = await presentCursor(graphql);
    const [early = '', late = ''] = await addThreads(service, ada, seeds(2));
    const { database } = service;
    let between: string | undefined;
    await database.$transaction(async (transaction) => {
      await transaction.thread.update({ where: { id: late }, data: { name: 'committed late' } });
      await database.thread.update({ where: { id: early }, data: { name: 'committed early' } });
      const events = await catchUp(graphql, cursor);
      expect(events.map(({ thread }) => thread?.name)).toEqual(['thread 1', 'committed early', undefined]);
      between = events.at(-1)?.cursor;
    });
    const events = await catchUp(graphql, between);
    expect(events.map(({ thread }) => thread?.name)).toEqual(['committed late', undefined]);
  });
});

describe('threadsChanged › a client that stays', () => {
  it('gets what changed while notifications were lost', async ({ service, database, ada, graphql }) => {
    const id = await addThread(service, ada);
    const feed = await openFeed(graphql);
    await nextChange(feed);
    // Triggers do not fire here, so the notification of this change is lost.
    await database.$transaction(async (transaction) => {
      await transaction.$executeRaw`SET LOCAL session_replication_role = replica`;
      await transaction.$executeRaw`UPDATE thread SET name = 'unheard', changed_xid = pg_current_xact_id()::text::bigint WHERE id = ${id}`;
    });
    await database.$queryRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'skein listen%' AND datname = current_database()`;
    expect((await nextChange(feed)).thread).toMatchObject({ id, name: 'unheard' });
    await feed.return(undefined);
  });

  it('is forgotten when it leaves, also while nothing happens', async ({ service, graphql }) => {
    const abort = new AbortController();
    const feed = await openFeed(graphql, { signal: abort.signal });
    await nextChange(feed);
    await vi.waitFor(() => expect(service.service.threadChanges.stats().followers).toBe(1), patience);
    abort.abort();
    await vi.waitFor(
      () => expect(service.service.threadChanges.stats()).toEqual({ followers: 0, topics: 0 }),
      patience,
    );
  });

  it('gets no further event once its token is revoked', async ({ service, ada }) => {
    const token = await service.token(ada.id, ['threads:read']);
    const feed = await openFeed(service.graphql(token));
    await nextChange(feed);
    await service.database.accessToken.updateMany({
      where: { userId: ada.id, scopes: { equals: ['threads:read'] } },
      data: { revokedAt: new Date() },
    });
    await addThread(service, ada, { name: 'not for this token' });
    expect(await feed.next()).toEqual({ done: true, value: undefined });
  });

  it('sees the end when its node stops, and resumes elsewhere', async ({ service, ada, graphql }) => {
    const node = await service.addNode({ ROLE: 'api' });
    const feed = await openFeed(new GraphQLClient({ origin: node.url, token: ada.token }));
    const { cursor } = await nextChange(feed);
    const [end] = await Promise.all([feed.next(), node.stop(0)]);
    expect(end).toEqual({ done: true, value: undefined });
    const id = await addThread(service, ada);
    expect((await catchUp(graphql, cursor))[0]?.thread?.id).toBe(id);
  });
});
