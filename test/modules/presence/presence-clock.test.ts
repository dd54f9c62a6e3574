/** Presence on several nodes and a clock that a test moves: what nodes tell each other, what they forget, and all bounds. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createId } from '../../../src/ids.js';
import { followPresence } from '../../../src/modules/presence/follow-presence.js';
import { Presence } from '../../../src/modules/presence/presence.js';
import type { PeopleInThread } from '../../../src/modules/presence/read-present.js';
import { decodeReports } from '../../../src/modules/presence/report.js';
import { mostPeople, mostSigns } from '../../../src/modules/presence/roster.js';
import { mostThreads } from '../../../src/modules/presence/writing-quota.js';
import { ManualClock } from '../manual-clock.js';

const it = test.extend('world', () => new World());

const threadId = createId('thr');
const [ada, bob] = [createId('usr'), createId('usr')];
const adaHere = { threadId, userId: ada };
const bobHere = { threadId, userId: bob };
const reads = (userId: string) => ({ userId, isWriting: false });
const writes = (userId: string) => ({ userId, isWriting: true });

/** Nodes that hear each other at once. */
class World {
  readonly clock = new ManualClock();
  readonly told: string[] = [];
  readonly #nodes = new Set<Presence>();

  node(): Presence {
    const node: Presence = new Presence({
      clock: this.clock,
      tell: (text) => {
        this.told.push(text);
        // To itself too, as the listener does.
        if (this.#nodes.has(node)) for (const each of this.#nodes) each.receive(text);
      },
    });
    this.#nodes.add(node);
    return node;
  }

  /** The node ends without a word. */
  kill(node: Presence): void {
    this.#nodes.delete(node);
  }

  /** Moves the clock in small steps, and lets everybody work in between. */
  async pass(durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 50) {
      this.clock.advance(50);
      await turn();
    }
  }
}

function twoNodes() {
  const world = new World();
  return { world, one: world.node(), two: world.node() };
}

/** Follows as the viewer would, and keeps all events. */
function follow(node: Presence, userId: string) {
  const events: PeopleInThread[] = [];
  const read = async (users: { userId: string; isWriting: boolean }[]) => ({
    count: users.length,
    people: users.map(({ userId: id, isWriting }) => ({ id, name: null, isWriting })),
  });
  const lists = followPresence({
    ...{ presence: node, principal: { userId, organizationId: 1 }, threadId, read, endings: [] },
  });
  const drain = async () => {
    for await (const list of lists) events.push(list);
  };
  void drain();
  return { events, leave: () => lists.return?.() };
}

describe('a person', () => {
  it('counts once however many streams they have, and until the last of them has ended', async ({ world }) => {
    const node = world.node();
    const [leave, leaveToo] = [node.enter(adaHere), node.enter(adaHere)];
    expect(node.peopleIn(threadId)).toEqual([reads(ada)]);
    leave();
    leave();
    await world.pass(20_000);
    expect(node.peopleIn(threadId)).toEqual([reads(ada)]);
    leaveToo();
    await world.pass(4_000);
    expect(node.peopleIn(threadId)).toEqual([]);
  });

  it('who comes back within three seconds was never away', async () => {
    const { world, one, two } = twoNodes();
    const { events } = follow(two, bob);
    const leave = one.enter(adaHere);
    await world.pass(1_000);
    leave();
    await world.pass(2_500);
    one.enter(adaHere);
    await world.pass(20_000);
    expect(events.map(({ count }) => count)).toEqual([0, 1]);
  });

  it('writes for six seconds after an announcement, and reads again afterwards', async () => {
    const { world, one, two } = twoNodes();
    one.enter(adaHere);
    two.announceWriting(adaHere);
    await world.pass(5_800);
    expect([one, two].map((node) => node.peopleIn(threadId))).toEqual([[writes(ada)], [writes(ada)]]);
    await world.pass(700);
    expect([one, two].map((node) => node.peopleIn(threadId))).toEqual([[reads(ada)], [reads(ada)]]);
  });

  it('who has sent their message writes on no node any more, whichever knew of it', async ({ world }) => {
    const [one, two, three] = [world.node(), world.node(), world.node()];
    one.enter(adaHere);
    two.announceWriting(adaHere);
    await world.pass(200);
    three.endWriting(adaHere);
    await world.pass(200);
    for (const node of [one, two, three]) expect(node.peopleIn(threadId)).toEqual([reads(ada)]);
    two.announceWriting(adaHere);
    await world.pass(200);
    expect(three.peopleIn(threadId), 'and may begin again at once').toEqual([writes(ada)]);
  });
});

describe('nodes', () => {
  it('tell each other within a second, and repeat what holds', async () => {
    const { world, one, two } = twoNodes();
    one.enter(adaHere);
    await world.pass(200);
    expect(two.peopleIn(threadId)).toEqual([reads(ada)]);
    await world.pass(60_000);
    expect(two.peopleIn(threadId)).toEqual([reads(ada)]);
    const late = world.node();
    await world.pass(6_000);
    expect(late.peopleIn(threadId)).toEqual([reads(ada)]);
  });

  it('tell everything at once when one of them has begun to listen', async ({ world }) => {
    const one = world.node();
    one.enter(adaHere);
    await world.pass(1_000);
    const late = world.node();
    one.repeat();
    await world.pass(200);
    expect(late.peopleIn(threadId)).toEqual([reads(ada)]);
  });

  it('forget what one of them knew that was killed, and nothing else', async ({ world }) => {
    const [one, two, three] = [world.node(), world.node(), world.node()];
    const eve = createId('usr');
    const { events } = follow(three, eve);
    const others = () => three.peopleIn(threadId).filter(({ userId }) => userId !== eve);
    await world.pass(100);
    one.enter(adaHere);
    two.enter(adaHere);
    one.enter(bobHere);
    await world.pass(1_000);
    world.kill(one);
    await world.pass(10_000);
    expect(others()).toHaveLength(2);
    await world.pass(7_000);
    expect(others()).toEqual([reads(ada)]);
    expect(events.map(({ count }) => count)).toEqual([0, 2, 1]);
  });

  it('see those of a node that stops for three seconds more, in which they come back elsewhere', async () => {
    const { world, one, two } = twoNodes();
    const { events } = follow(two, bob);
    one.enter(adaHere);
    one.enter({ threadId, userId: createId('usr') });
    await world.pass(1_000);
    one.close();
    two.enter(adaHere);
    await world.pass(5_000);
    expect(two.peopleIn(threadId).map(({ userId }) => userId)).toContain(ada);
    expect(events.map(({ count }) => count)).toEqual([0, 2, 1]);
    expect(one.stats().streams).toBe(0);
  });

  it('say nothing where nobody is', async ({ world }) => {
    const node = world.node();
    node.endWriting(adaHere);
    node.repeat();
    await world.pass(30_000);
    expect(world.told).toEqual([]);
    expect(world.clock.pendingTimers).toBe(0);
  });

  it('leave out what they cannot read', () => {
    const node = new World().node();
    node.receive(`other\n${threadId} ${ada} 9000 0 0\nnonsense\nthr_x usr_y 1 1 1\n${threadId} ${bob} -1 NaN 0`);
    expect(node.peopleIn(threadId)).toEqual([reads(ada)]);
  });
});

describe('changes in quick succession', () => {
  it('are told to other nodes at most ten times a second, and to a follower at most four times', async () => {
    const { world, one, two } = twoNodes();
    const { events } = follow(two, bob);
    await world.pass(500);
    world.told.length = 0;
    for (let n = 0; n < 200; n += 1) {
      one.enter({ threadId, userId: createId('usr') });
      await world.pass(50);
    }
    // Ten seconds, in each of which twenty came.
    expect(world.told.length).toBeLessThanOrEqual(105);
    expect(events.length).toBeLessThanOrEqual(42);
    expect(events.length).toBeGreaterThan(20);
    await world.pass(1_000);
    expect(events.at(-1)?.count, 'and the last is not lost').toBe(200);
  });

  it('are told in texts that a notification can carry', async () => {
    const { world, one, two } = twoNodes();
    for (let n = 0; n < 500; n += 1) one.enter({ threadId, userId: createId('usr') });
    await world.pass(200);
    expect(world.told.length).toBeGreaterThan(1);
    for (const text of world.told) expect(Buffer.byteLength(text)).toBeLessThan(8_000);
    expect(two.peopleIn(threadId)).toHaveLength(500);
  });

  it('are no events where the list stays as it was', async ({ world }) => {
    const node = world.node();
    const { events } = follow(node, bob);
    await world.pass(100);
    node.enter(adaHere);
    await world.pass(130_000);
    node.enter(adaHere);
    node.enter(bobHere);
    await world.pass(2_000);
    expect(events.map(({ count }) => count)).toEqual([0, 1]);
  });
});

describe('announcements', () => {
  it('within two seconds of each other are one', async ({ world }) => {
    const node = world.node();
    for (let n = 0; n < 100; n += 1) node.announceWriting(adaHere);
    await world.pass(200);
    const reports = world.told.flatMap((text) => decodeReports(text).reports);
    expect(reports).toMatchObject([{ ...adaHere, readingMs: 0 }]);
    await world.pass(1_500);
    node.announceWriting(adaHere);
    await world.pass(4_900);
    expect(node.peopleIn(threadId), 'which does not make the first last longer').toEqual([]);
  });

  it('have effect in ten threads of one person at once', async ({ world }) => {
    const node = world.node();
    const threads = Array.from({ length: 100 }, () => createId('thr'));
    for (const id of threads) node.announceWriting({ threadId: id, userId: ada });
    const inEffect = () => threads.filter((id) => node.peopleIn(id).length > 0);
    expect(inEffect()).toEqual(threads.slice(0, mostThreads));
    node.announceWriting(bobHere);
    expect(node.peopleIn(threadId), 'and somebody else is not hindered').toEqual([writes(bob)]);
    await world.pass(7_000);
    expect(node.stats()).toEqual({ signs: 0, streams: 0, writers: 0 });
  });
});

describe('memory', () => {
  it('holds a bounded number of people in a thread and in all threads', () => {
    const node = new World().node();
    const lines = (count: number, id: () => string) =>
      Array.from({ length: count }, () => `${id()} ${createId('usr')} 9000 0 0`).join('\n');
    node.receive(`other\n${lines(mostPeople + 50, () => threadId)}`);
    expect(node.peopleIn(threadId)).toHaveLength(mostPeople);
    node.receive(`other\n${lines(mostSigns, () => createId('thr'))}`);
    expect(node.stats().signs).toBe(mostSigns);
  });

  it('is empty when everybody has left, and nothing waits for a time', async () => {
    const { world, one, two } = twoNodes();
    const viewers = Array.from({ length: 50 }, () => follow(one, createId('usr')));
    await world.pass(1_000);
    expect(two.stats().signs).toBe(50);
    for (const { leave } of viewers) await leave();
    await world.pass(20_000);
    for (const node of [one, two]) {
      expect(node.stats()).toEqual({ signs: 0, streams: 0, writers: 0 });
      expect(node.signals.stats()).toEqual({ followers: 0, topics: 0 });
    }
    expect(world.clock.pendingTimers).toBe(0);
  });
});
