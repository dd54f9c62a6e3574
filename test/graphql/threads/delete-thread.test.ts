/** `deleteThread` and `deleteMember`: what is deleted is gone everywhere, whoever looks, and whatever was under way. */
import { describe, expect } from 'vitest';
import { Prisma } from '../../../prisma/generated/client/client.js';
import { deleteThreads } from '../../../src/modules/deletion/delete-thread.js';
import { leaseSettingsOf } from '../../../src/modules/responses/worker/lease-settings.js';
import { signedIn } from '../../auth/people.js';
import { answeredMessage, feedbackPath } from '../../rest/messages/answered-message.js';
import { activeThread } from '../../rest/threads/thread-stages.js';
import { holding, waitingStatements } from '../../support/database/waiting-statements.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { runSql } from '../../support/server.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread, colleagueOf, listIds, newcomer } from '../../support/threads.js';
import { createThreadWith, pixel, uploadFile } from '../attachments/attached-file.js';
import { toldTo } from '../feeds/threads-feed.js';

// No lease is renewed meanwhile, so that a worker learns only by a notification that its response is gone.
const lease = leaseSettingsOf({ leaseMs: 3_600_000, deadlineMs: 7_200_000 });
const it = serviceTest({ settings: { lease } }).extend('owner', ({ service }) => newcomer(service));

/** A thread with an image and its answer. */
async function threadWithFile(service: TestService, person: Person) {
  const attachmentIds = [await uploadFile(service, person, pixel)];
  const { threadId, messageId } = await createThreadWith(service, person, { text: 'See', attachmentIds });
  const [answer] = await person.rest.answer({ threadId, messageId });
  return { threadId, messageId, answerId: String(answer?.id) };
}

const remove = `mutation ($id: ID!) { outcome: deleteThread(id: $id) {
  __typename ... on Error { code } ... on DeletedThread { id } } }`;
const removeMember = `mutation ($id: ID!) { outcome: deleteMember(memberId: $id) {
  __typename ... on Error { code } ... on DeletedMember { id threads } } }`;

/** What finds a thread and stores something of it without locking it first. */
const storing = [
  'pinThread(id: "THREAD")',
  'markThreadRead(input: { threadId: "THREAD", messageId: "ANSWER" })',
  'submitFeedback(input: { threadId: "THREAD", messageId: "ANSWER", positive: true })',
  'continueThread(input: { threadId: "THREAD", text: "Go on" })',
];

async function deleteAs(person: Person, id: string) {
  return (await person.graphql.data(remove, { id })).outcome;
}

async function runningIn(service: TestService): Promise<number> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^skein_running_responses (\d+)$/m.exec(metrics)?.[1]);
}

/** Waits until the worker has nothing to do. */
async function isIdle(service: TestService): Promise<void> {
  await expect.poll(() => runningIn(service), { timeout: 20_000 }).toBe(0);
}

/** The tables in which the text occurs anywhere, in the whole database. */
async function tablesWith({ storage: { url } }: TestService, text: string): Promise<string[]> {
  const [all] = await runSql(
    url,
    Prisma.sql`SELECT string_agg(format(
        'SELECT %L AS name WHERE EXISTS (SELECT FROM %I t WHERE t::text LIKE %L)', relname, relname, ${`%${text}%`}::text
      ), ' UNION ALL ') AS query
      FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const found = await runSql(url, `${(all as { query: string }).query} ORDER BY 1`);
  return found.map((row) => (row as { name: string }).name);
}

describe('deleteThread', () => {
  it('removes the thread with everything in it, and keeps no more than its id', async ({ service, owner, ada }) => {
    const { threadId, messageId, answerId } = await threadWithFile(service, owner);
    expect((await owner.rest.post(feedbackPath(threadId, answerId), { positive: true })).status).toBe(204);
    expect(await tablesWith(service, threadId)).toContain('message');
    expect(await deleteAs(owner, threadId)).toEqual({ __typename: 'DeletedThread', id: threadId });
    expect(await tablesWith(service, threadId)).toEqual(['audit_event', 'deleted_thread']);
    expect(await tablesWith(service, messageId)).toEqual([]);
    expect(await tablesWith(service, answerId)).toEqual([]);
    expect((await owner.rest.get(`/threads/${threadId}`)).status).toBe(404);
    expect(await listIds(owner.rest)).toEqual([]);
    expect(await deleteAs(ada, threadId)).toEqual({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
  });

  it('is no longer found by its words', async ({ owner }) => {
    const { threadId } = await owner.rest.createThread({ text: 'marzipan' });
    expect(await listIds(owner.rest, { q: 'marzipan' })).toEqual([threadId]);
    await deleteAs(owner, threadId);
    expect(await listIds(owner.rest, { q: 'marzipan' })).toEqual([]);
  });

  it('is for the owner, and for administrators who see the thread and are signed in', async ({ service, owner }) => {
    const colleague = await colleagueOf(service, owner);
    const administrator = await colleagueOf(service, owner, { role: 'admin' });
    const stranger = await newcomer(service);
    const [open, secret] = [await addThread(service, owner), await addThread(service, owner, { isPrivate: true })];
    const notOwner = { __typename: 'NotOwnerError', code: 'NOT_OWNER' };
    const notFound = { __typename: 'NotFoundError', code: 'NOT_FOUND' };
    expect(await deleteAs(colleague, open)).toEqual(notOwner);
    expect(await deleteAs(administrator, open)).toEqual(notOwner);
    expect(await deleteAs(stranger, open)).toEqual(notFound);
    expect(await deleteAs(colleague, secret)).toEqual(notFound);
    expect(await deleteAs(owner, 'thr_nonsense')).toEqual(notFound);
    const browser = await signedIn(service, administrator);
    expect(await browser.graphql(remove, { id: secret })).toEqual({ outcome: notFound });
    expect(await browser.graphql(remove, { id: open })).toEqual({ outcome: { __typename: 'DeletedThread', id: open } });
    expect(await listIds(owner.rest)).toEqual([secret]);
  });

  it('is told to those who could see the thread, however late they ask, and to nobody else', async ({ service }) => {
    const owner = await newcomer(service);
    const people = [owner, await colleagueOf(service, owner), await newcomer(service)];
    const [open, secret] = [await addThread(service, owner), await addThread(service, owner, { isPrivate: true })];
    const told = await toldTo(people);
    for (const id of [open, secret]) await deleteAs(owner, id);
    const ids = (await told()).map((events) => events.map(({ threadId }) => threadId));
    expect(ids).toEqual([[open, secret, undefined], [open, undefined], [undefined]]);
  });

  it('stops the response that is under way, and stores nothing of it', async ({ service, owner }) => {
    const { threadId, messageId, finish } = await activeThread({ service, rest: owner.rest });
    const events = await owner.rest.stream({ threadId, messageId });
    await deleteAs(owner, threadId);
    const seen: unknown[] = [];
    for await (const { event } of events) seen.push(event);
    expect(seen).not.toContain('done');
    await service.model.lastRequest.closed;
    finish();
    await isIdle(service);
    expect(await tablesWith(service, messageId)).toEqual([]);
    expect(service.log.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
    const next = await owner.rest.createThread({ text: 'Still here?' });
    expect((await owner.rest.answer(next)).length).toBe(1);
  });

  it('wins or loses against the end of a response, and neither leaves half of it', async ({ service, database }) => {
    const owner = await newcomer(service);
    const hold = gate();
    service.model.enqueue([text('Hel'), wait(hold.passed), text('lo')]);
    const { threadId, messageId } = await owner.rest.createThread({ text: 'Hi' });
    await expect.poll(() => runningIn(service)).toBe(1);
    await database.$transaction(async (deleting) => {
      await deleteThreads(deleting, Prisma.sql`SELECT t.id FROM thread t WHERE t.id = ${threadId} FOR UPDATE`);
      hold.open();
      // The end of the response, or the renewal of its lease, waits for the thread.
      await expect.poll(() => waitingStatements(database), { timeout: 20_000 }).toBeGreaterThan(0);
    }, holding);
    await isIdle(service);
    expect(await tablesWith(service, messageId)).toEqual([]);
  });

  it('is not found by those who pin, read, rate or continue the thread in the same moment', async ({ service }) => {
    const owner = await newcomer(service);
    const { threadId, answerId } = await answeredMessage(owner);
    const { database } = service;
    const { outcomes } = await database.$transaction(async (deleting) => {
      await deleteThreads(deleting, Prisma.sql`SELECT t.id FROM thread t WHERE t.id = ${threadId} FOR UPDATE`);
      const outcomes = storing.map((field) => {
        const named = field.replace('THREAD', threadId).replace('ANSWER', answerId);
        return owner.graphql.data(`mutation { outcome: ${named} { __typename } }`);
      });
      const waiting = expect.poll(() => waitingStatements(database), { timeout: 20_000 });
      await waiting.toBeGreaterThanOrEqual(storing.length);
      return { outcomes };
    }, holding);
    const notFound = { outcome: { __typename: 'NotFoundError' } };
    expect(await Promise.all(outcomes)).toEqual(storing.map(() => notFound));
  });
});

describe('deleteMember', () => {
  it('removes the member with everything of theirs, and nothing of others', async ({ service }) => {
    const admin = await service.person({ org: 'leaving', role: 'admin' });
    const leaver = await service.person({ org: 'leaving' });
    const { threadId } = await threadWithFile(service, leaver);
    const secret = await addThread(service, leaver, { isPrivate: true });
    await deleteAs(leaver, secret);
    const kept = await addThread(service, admin);
    const browser = await signedIn(service, admin);
    const outcome = { __typename: 'DeletedMember', id: leaver.id, threads: 1 };
    expect(await browser.graphql(removeMember, { id: leaver.id })).toEqual({ outcome });
    expect(await tablesWith(service, leaver.id)).toEqual(['audit_event', 'usage_day']);
    expect(await tablesWith(service, leaver.email)).toEqual([]);
    expect(await tablesWith(service, threadId)).toEqual(['audit_event', 'deleted_thread']);
    expect(await listIds(admin.rest)).toEqual([kept]);
    expect((await leaver.rest.get('/me')).status).toBe(401);
    const { auditEvents } = await browser.graphql(
      '{ auditEvents(first: 2) { edges { node { act actorId subjectId targetId } } } }',
    );
    expect(auditEvents?.edges?.map((edge) => edge?.node)).toEqual([
      { act: 'MEMBER_DELETED', actorId: admin.id, subjectId: leaver.id, targetId: null },
      { act: 'THREAD_DELETED', actorId: admin.id, subjectId: leaver.id, targetId: threadId },
    ]);
  });

  it('removes a former member, and refuses oneself, strangers and callers with a token', async ({ service }) => {
    const admin = await service.person({ org: 'deciding', role: 'admin' });
    const former = await service.person({ org: 'deciding' });
    const stranger = await newcomer(service);
    const browser = await signedIn(service, admin);
    await browser.graphql('mutation ($id: ID!) { removeMember(id: $id) { __typename } }', { id: former.id });
    const outcomeOf = async (id: string) => (await browser.graphql<string>(removeMember, { id }))['outcome'];
    expect(await outcomeOf(former.id)).toMatchObject({ __typename: 'DeletedMember' });
    expect(await outcomeOf(former.id)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await outcomeOf(stranger.id)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await outcomeOf(admin.id)).toMatchObject({ code: 'INVALID_INPUT' });
    const { outcome } = await admin.graphql.data(removeMember, { id: stranger.id });
    expect(outcome).toMatchObject({ code: 'NOT_ADMINISTRATOR' });
  });
});
