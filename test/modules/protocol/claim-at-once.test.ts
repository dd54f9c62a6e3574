/**
 * The claim by the statement that sends the message: where it happens, what it leaves behind, and what it gives to the worker.
 * Transactions that overlap are held in lanes.
 */
import { describe, expect, test } from 'vitest';
import { readNewestConversation } from '../../../src/modules/messages/newest-messages.js';
import { keyedRequest, once } from '../../../src/modules/messages/sending/idempotency.js';
import { createThread } from '../../../src/modules/messages/sending/post-message.js';
import { claim } from '../../../src/modules/responses/protocol/claim.js';
import { heartbeat } from '../../../src/modules/responses/protocol/lease.js';
import { reclaim } from '../../../src/modules/responses/protocol/reclaim.js';
import { requestStop } from '../../../src/modules/responses/protocol/stop.js';
import { readHistory } from '../../../src/modules/threads/history.js';
import { Lane, openedLanes } from './overlaps/lane.js';
import { ReservedSlots, workerNamed } from './protocol-world.js';

const it = test.extend('slots', () => new ReservedSlots(ann));

const [ann, bob] = [workerNamed('ann'), workerNamed('bob')];
const from = ['ready', 'interrupted'] as const;

const stage = openedLanes();
const world = () => stage().world;
const lanes = () => stage().lanes;

/** A thread whose first response has ended. */
async function readyThread(): Promise<string> {
  const { threadId, ...run } = await world().running();
  await world().end({ threadId, ...run });
  return threadId;
}

async function pathOf(threadId: string) {
  const events = await readHistory(world().database, threadId);
  return events.map(({ what, attempt, epoch, workerId }) => `${what} ${attempt} ${epoch} ${workerId}`);
}

describe('a message that is sent in a free slot', () => {
  it('is claimed: the thread is active, the response runs, and the history has both steps', async ({ slots }) => {
    const { threadId, messageId } = await world().ask({ slots });
    expect(await world().thread(threadId)).toMatchObject({ state: 'active', epoch: 1, queuedAt: null });
    const running = { status: 'running', attempt: 1, epoch: 1, workerId: 'ann', leaseUntil: expect.any(Date) };
    expect(await world().response(messageId)).toMatchObject(running);
    expect(await pathOf(threadId)).toEqual(['queued 0 0 null', 'started 1 1 ann']);
    const { run } = slots.begun[0] ?? expect.fail('it was not claimed');
    expect(await heartbeat(world().database, ann, [run])).toMatchObject([{ messageId, epoch: 1 }]);
    expect(await world().end(run)).toBe(true);
    await world().askAgain(threadId, { slots });
    expect(await world().thread(threadId)).toMatchObject({ state: 'active', epoch: 2 });
    expect((await pathOf(threadId)).slice(-2)).toEqual(['queued 0 0 null', 'started 1 2 ann']);
  });

  it('goes on with a thread that was stopped', async ({ slots }) => {
    const { threadId, messageId } = await world().ask();
    await requestStop(world().database, { viewer: world().viewer, messageId, reason: 'Ada stopped it.' });
    await world().askAgain(threadId, { slots, from: [...from] });
    expect(await world().thread(threadId)).toMatchObject({ state: 'active', epoch: 2 });
    expect(slots.begun).toMatchObject([{ run: { epoch: 2, attempt: 1, isStopRequested: false } }]);
  });

  it('brings the conversation that the worker would read, unless it is long', async ({ slots }) => {
    const threadId = await readyThread();
    await world().database.thread.update({ where: { id: threadId }, data: { instructions: 'Be brief.' } });
    await world().askAgain(threadId, { slots });
    const read = await readNewestConversation(world().database, { threadId, bytes: 1000 });
    expect(slots.begun[0]?.conversation).toEqual(read);
    expect(read).toMatchObject({ messages: [{}, {}, { sequence: 6 }], instructions: 'Be brief.' });
    await world().end(slots.begun[0]?.run ?? expect.fail('it was not claimed'));
    await world().askAgain(threadId, { text: 'x'.repeat(1000) });
    const [long = expect.fail('nothing waits')] = await claim(world().database, bob, 1);
    await world().end(long);
    await world().askAgain(threadId, { slots });
    expect(slots.begun).toMatchObject([{}, { conversation: null }]);
  });

  it('is reclaimed like any other if its worker is killed after the commit', async () => {
    const { threadId, messageId } = await world().ask({ slots: new ReservedSlots(ann) });
    expect(await reclaim(world().database, bob, 1)).toEqual([]);
    await world().expireLease({ messageId });
    expect(await reclaim(world().database, bob, 1)).toMatchObject([{ messageId, epoch: 2, attempt: 2 }]);
    expect((await pathOf(threadId)).at(-1)).toBe('taken_over 2 2 bob');
  });

  it('is claimed once, however often it is repeated with its key', async ({ slots }) => {
    const request = keyedRequest(world().viewer, 'createThread', { key: 'once', body: 'Hi', slots });
    const thread = { text: 'Hi', name: null, isPrivate: false };
    const send = () => once(world().database, request, () => createThread(world().database, request, thread));
    const answers = await Promise.all([send(), send(), send()]);
    expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(1);
    expect(slots.begun.map(({ run }) => run.messageId)).toEqual([answers[0]?.messageId]);
    expect(await world().database.response.count()).toBe(1);
  });
});

describe('a message that is sent in a free slot waits', () => {
  it('behind whoever waits already', async ({ slots }) => {
    await world().ask();
    const { threadId } = await world().ask({ slots });
    expect(await world().thread(threadId)).toMatchObject({ state: 'waiting', epoch: 0 });
    expect(slots.begun).toEqual([]);
    expect(await pathOf(threadId)).toEqual(['queued 0 0 null']);
  });

  it.each([
    ['its user', { perUser: 1, perOrganization: 5 }],
    ['its organization', { perUser: 5, perOrganization: 1 }],
  ])('if the share of %s is used up at the worker, by what runs or by what is being sent', async (_name, shares) => {
    const annWith = { ...ann, shares };
    const parallel = new ReservedSlots(annWith, { others: 1 });
    const first = new ReservedSlots(annWith);
    await lanes()[0].start((database) => world().ask({ slots: first, database }));
    await lanes()[1].start((database) => world().ask({ slots: parallel, database }));
    await Lane.endAll(lanes(), 'commit');
    expect([first.begun.length, parallel.begun.length]).toEqual([1, 0]);
    await claim(world().database, bob, 5);
    const third = new ReservedSlots(annWith);
    await world().ask({ slots: third });
    expect(third.begun).toEqual([]);
    await claim(world().database, bob, 5);
    await world().ask({ slots: new ReservedSlots({ ...bob, id: 'cyd', shares }) });
    expect(await world().database.response.count({ where: { workerId: 'cyd' } }), 'each worker counts its own').toBe(1);
  });

  it('if it has waited for another statement, whose changes its snapshot lacks', async ({ slots }) => {
    const threadId = await readyThread();
    const instructions = 'Be brief.';
    await lanes()[0].start((database) => database.$executeRaw`UPDATE thread SET instructions = ${instructions}`);
    await lanes()[1].start((database) => world().askAgain(threadId, { slots, database }));
    expect(await lanes()[1].atRest(), 'it waits').toBe(true);
    await Lane.endAll(lanes(), 'commit');
    expect(await world().thread(threadId)).toMatchObject({ state: 'waiting', epoch: 1 });
    expect(slots.begun).toEqual([]);
  });

  it('if it is executed long after it was sent', async () => {
    const slots = new ReservedSlots({ ...ann, askedAtMs: Date.now() - ann.lease.leaseMs });
    const { threadId } = await world().ask({ slots });
    expect((await world().thread(threadId)).state).toBe('waiting');
  });
});

it('a stop that waits for the message finds its response running', async ({ slots }) => {
  const threadId = await readyThread();
  const { messageId } = await world().askAgain(threadId, { slots });
  const run = slots.begun[0]?.run ?? expect.fail('it was not claimed');
  const stop = { viewer: world().viewer, messageId, reason: 'Ada stopped it.' };
  await lanes()[0].start((database) => requestStop(database, stop));
  await lanes()[1].start((database) => world().end(run, { status: 'interrupted' }, database));
  await Lane.endAll(lanes(), 'commit');
  expect(await world().response(messageId)).toMatchObject({ status: 'interrupted' });
});
