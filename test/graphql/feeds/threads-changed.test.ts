/** `threadsChanged`: what the owner of a thread, a colleague and a stranger are told of what happens to it. */
import { describe, expect, vi } from 'vitest';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { TestService } from '../../support/service.js';
import { addThread, colleagueOf, newcomer } from '../../support/threads.js';
import { catchUp, cursorBefore, type FeedEvent, nextChange, openFeed, presentCursor } from './threads-feed.js';

const it = serviceTest().extend('owner', ({ service }) => newcomer(service));

/** The owner, a colleague and a stranger, each with what they are told from now on. */
async function audience(service: TestService) {
  const owner = await newcomer(service);
  const people = [owner, await colleagueOf(service, owner), await newcomer(service)];
  const cursors = await Promise.all(people.map((person) => presentCursor(person.graphql)));
  /** What each is told since the beginning, in short. */
  const told = () =>
    Promise.all(people.map(async (person, i) => (await catchUp(person.graphql, cursors[i])).map(inShort)));
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
    await vi.waitFor(() => expect(node.threadChanges.stats()).toEqual({ followers: 0, topics: 0 }), {
      timeout: 10_000,
    });
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
