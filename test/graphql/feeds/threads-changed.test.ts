/**
 * `threadsChanged`: what the owner of a thread, a colleague and a stranger are told of what happens to it; and a client that was away,
 * one that loses its signals, and one that may no more. `threadChanged`: one thread, as it is and as it becomes.
 */
import { describe, expect, vi } from 'vitest';
import { type Data, GraphQLClient, type GraphQLResult } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { TestService } from '../../support/service.js';
import { addThread, addThreads, colleagueOf, newcomer } from '../../support/threads.js';
import {
  catchUp,
  cursorBefore,
  type FeedEvent,
  nextChange,
  openFeed,
  presentCursor,
  threadFields,
  toldTo,
} from './threads-feed.js';

const patience = { timeout: 10_000 };

const it = serviceTest()
  .extend('ada', { scope: 'file' }, ({ service }) => newcomer(service))
  .extend('owner', ({ service }) => newcomer(service));

/** The owner, a colleague and a stranger, each with what they are told from now on. */
async function audience(service: TestService) {
  const owner = await newcomer(service);
  const people = [owner, await colleagueOf(service, owner), await newcomer(service)];
  const events = await toldTo(people);
  const told = async () => (await events()).map((each) => each.map(inShort));
  return { owner, told };
}

function inShort({ type, thread, threadId }: FeedEvent): string {
  if (type === 'ThreadsCaughtUp') return 'caught up';
  return type === 'ThreadHidden' ? `hidden ${threadId}` : `${thread?.id} ${thread?.name}`;
}

const change = (service: TestService, id: string, data: { name?: string; archived?: boolean; isPrivate?: boolean }) =>
  service.database.thread.update({ where: { id }, data });

describe('threadsChanged › who is told what', () => {
  it('tells colleagues no more than the id of a thread that was made private', async ({ service }) => {
    const { owner, told } = await audience(service);
    const id = await addThread(service, owner, { name: 'plans' });
    await change(service, id, { isPrivate: true });
    expect(await told()).toEqual([[`${id} plans`, 'caught up'], [`hidden ${id}`, 'caught up'], ['caught up']]);
  });

  it('tells colleagues nothing of what happens in a thread after it was made private', async ({ service, owner }) => {
    const colleague = await colleagueOf(service, owner);
    const id = await addThread(service, owner, { name: 'plans' });
    await change(service, id, { isPrivate: true });
    const cursor = await presentCursor(colleague.graphql);
    await change(service, id, { name: 'more plans' });
    expect((await catchUp(colleague.graphql, cursor)).map(inShort)).toEqual(['caught up']);
    expect((await catchUp(owner.graphql, cursor)).map(inShort)).toEqual([`${id} more plans`, 'caught up']);
  });

  it('tells colleagues of a thread that was made public, and that it was hidden once more', async ({ service }) => {
    const { owner, told } = await audience(service);
    const id = await addThread(service, owner, { name: 'plans', isPrivate: true });
    await change(service, id, { isPrivate: false });
    const seen = [`${id} plans`, 'caught up'];
    expect(await told()).toEqual([seen, seen, ['caught up']]);
    await change(service, id, { isPrivate: true });
    expect(await told()).toEqual([seen, [`hidden ${id}`, 'caught up'], ['caught up']]);
  });

  it('tells nothing of what was rolled back, or when nothing was changed', async ({ service }) => {
    const { owner, told } = await audience(service);
    const id = await addThread(service, owner, { name: 'kept' });
    const before = await told();
    const undone = service.database.$transaction(async (transaction) => {
      await transaction.thread.update({ where: { id }, data: { name: 'lost' } });
      await transaction.$queryRaw`SELECT 1 / 0`;
    });
    await expect(undone).rejects.toThrow('division by zero');
    expect(await told()).toEqual(before);
  });
});

describe('threadsChanged › as it happens', () => {
  it('catches up first, and then shows each lasting state of a conversation', async ({ service, owner }) => {
    const held = gate();
    service.model.enqueue([text('Hel'), wait(held.passed), text('lo')]);
    const feed = await openFeed(owner.graphql);
    expect((await nextChange(feed)).type).toBe('ThreadsCaughtUp');
    const { threadId } = await owner.rest.createThread({ text: 'Hi' });
    // A state may come twice.
    const untilState = async (state: string) => {
      for (;;) {
        const { thread } = await nextChange(feed);
        if (thread?.state === state) return thread;
      }
    };
    expect(await untilState('ACTIVE')).toMatchObject({ id: threadId, owner: { id: owner.id } });
    held.open();
    expect(await untilState('READY')).toMatchObject({ id: threadId });
    await feed.return(undefined);
  });

  it('comes from every node to every node', async ({ service, owner }) => {
    const node = await service.addNode({ ROLE: 'api' });
    const feed = await openFeed(new GraphQLClient({ origin: node.url, token: owner.token }));
    const { cursor } = await nextChange(feed);
    const here = await addThread(service, owner, { name: 'here' });
    expect(await nextChange(feed)).toMatchObject({ thread: { id: here } });
    // A cursor of one node is one of the other.
    expect((await catchUp(owner.graphql, cursor)).map(inShort)).toEqual([`${here} here`, 'caught up']);
    await feed.return(undefined);
    await vi.waitFor(() => expect(node.threadChanges.stats()).toEqual({ followers: 0, topics: 0 }), patience);
  });

  it('accepts a cursor of this feed alone', async ({ owner }) => {
    for (const after of ['', 'nonsense', 'a\u0000', Buffer.from('1.1.1|5:3:').toString('base64url')]) {
      const { value } = await (await openFeed(owner.graphql, { after })).next();
      expect(value?.errors?.[0]?.extensions?.['code'], JSON.stringify(after)).toBe('INVALID_CURSOR');
    }
  });

  it('refuses a cursor from before a restore of the database', async ({ service, owner }) => {
    const id = await addThread(service, owner);
    const cursor = Buffer.from(await cursorBefore(service, id), 'base64url').toString();
    const after = Buffer.from(cursor.replace(/^\d+/, '7')).toString('base64url');
    const { value } = await (await openFeed(owner.graphql, { after })).next();
    expect(value?.errors?.[0]?.extensions?.['code']).toBe('INVALID_CURSOR');
  });
});

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

const query = `subscription ($id: ID!) { threadChanged(id: $id) { ${threadFields} } }`;

type Changed = Data<typeof query>;
type Results = AsyncGenerator<GraphQLResult<Changed>>;

async function follow(client: GraphQLClient, id: string): Promise<Results> {
  return (await client.subscribe({ query, variables: { id } })).results;
}

async function next(results: Results): Promise<Changed['threadChanged']> {
  const { done, value } = await results.next();
  if (done || !value.data) throw new Error(`Not a thread: ${done ? 'the end' : JSON.stringify(value)}`);
  return value.data.threadChanged;
}

describe('threadChanged', () => {
  it('begins with the thread, and shows each lasting state of a conversation', async ({ service, ada }) => {
    const id = await addThread(service, ada, { name: 'talk' });
    const results = await follow(ada.graphql, id);
    expect(await next(results)).toMatchObject({ id, name: 'talk', state: 'READY', owner: { id: ada.id } });
    const held = gate();
    service.model.enqueue([text('Hel'), wait(held.passed), text('lo')]);
    await ada.rest.send(id, 'Hi');
    const states: string[] = [];
    while (states.at(-1) !== 'ACTIVE') states.push((await next(results)).state);
    held.open();
    expect((await next(results)).state).toBe('READY');
    await results.return(undefined);
  });

  it('shows the last of many changes, and none twice', async ({ service, ada }) => {
    const id = await addThread(service, ada);
    const results = await follow(ada.graphql, id);
    await next(results);
    for (let n = 1; n <= 50; n += 1) await change(service, id, { name: `name ${n}` });
    const names: (string | null)[] = [];
    while (names.at(-1) !== 'name 50') names.push((await next(results)).name);
    const numbers = names.map((name) => Number(name?.slice(5)));
    expect(numbers, 'in order, none twice').toEqual([...new Set(numbers)].sort((a, b) => a - b));
    await results.return(undefined);
  });

  it('shows what another node changes', async ({ service, ada }) => {
    const node = await service.addNode({ ROLE: 'api' });
    const id = await addThread(service, ada);
    const results = await follow(new GraphQLClient({ origin: node.url, token: ada.token }), id);
    await next(results);
    await change(service, id, { name: 'from here' });
    expect((await next(results)).name).toBe('from here');
    await results.return(undefined);
    await vi.waitFor(() => expect(node.threadChanges.stats().followers).toBe(0), patience);
  });

  it('ends for colleagues when the thread is made private, and continues for its owner', async ({ service, ada }) => {
    const id = await addThread(service, ada, { name: 'open' });
    const [own, other] = await Promise.all([
      follow(ada.graphql, id),
      follow((await colleagueOf(service, ada)).graphql, id),
    ]);
    await Promise.all([next(own), next(other)]);
    await change(service, id, { name: 'closed', isPrivate: true });
    expect(await other.next()).toEqual({ done: true, value: undefined });
    expect(await next(own)).toMatchObject({ name: 'closed', isPrivate: true });
    await own.return(undefined);
  });

  it('gets no further event once its token is revoked, and neither does threadsChanged', async ({ service, ada }) => {
    const id = await addThread(service, ada);
    const graphql = service.graphql(await service.token(ada.id, ['threads:read']));
    const feeds: AsyncGenerator<unknown>[] = [await openFeed(graphql), await follow(graphql, id)];
    for (const feed of feeds) expect(await feed.next()).toMatchObject({ done: false });
    await service.database.accessToken.updateMany({
      where: { userId: ada.id, scopes: { equals: ['threads:read'] } },
      data: { revokedAt: new Date() },
    });
    await change(service, id, { name: 'not for this token' });
    for (const feed of feeds) expect(await feed.next()).toEqual({ done: true, value: undefined });
  });

  it('of an unknown thread is an error before any event, and leaves nothing behind', async ({ service, ada }) => {
    const results = await follow(ada.graphql, 'a\u0000');
    const { value } = await results.next();
    expect(value?.errors?.[0]?.extensions?.['code']).toBe('NOT_FOUND');
    expect(await results.next()).toMatchObject({ done: true });
    await vi.waitFor(
      () => expect(service.service.threadChanges.stats()).toEqual({ followers: 0, topics: 0 }),
      patience,
    );
  });
});
