/**
 * However much there is to delete, no statement deletes much of it: PostgreSQL ends one that takes long, and nothing
 * would ever be deleted.
 */
import { describe, expect } from 'vitest';
import { Prisma } from '../../../prisma/generated/client/client.js';
import { deleteSomeThreads } from '../../../src/modules/deletion/delete-thread.js';
import { deleteOrganization, deleteUser } from '../../../src/modules/deletion/delete-user.js';
import { deleteExpiredThreads } from '../../../src/modules/deletion/retention.js';
import { Housekeeping } from '../../../src/process/housekeeping.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { runSql } from '../../support/server.js';
import { type Person, type TestService, withoutWorker } from '../../support/service.js';
import { logger } from '../../support/silent-logger.js';
import { addThread, addThreads, colleagueOf, listIds, newcomer } from '../../support/threads.js';

const it = serviceTest(withoutWorker);

/** Of one statement: messages, and attachments of the largest size. */
const mostMessages = 2_000;
const mostAttachments = 110;
const mostRows = 5_000;
const mostUsers = 100;

const longest = 5_000;
const many = 20;

/** Says of each row that is deleted, and each user who is removed, when its statement began: those that a statement takes along have the time of that one. */
const note = `
  CREATE TABLE deletion (kind text, id text, at timestamptz);
  CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO public.deletion VALUES (TG_TABLE_NAME, to_jsonb(OLD) ->> 'id', statement_timestamp());
    RETURN NULL;
  END $$`;
const noted = ['message', 'attachment', 'thread', 'deleted_thread', 'audit_event'];

async function watch({ storage }: TestService): Promise<void> {
  const [{ exists } = { exists: false }] = (await runSql(
    storage.url,
    `SELECT to_regclass('deletion') IS NOT NULL AS exists`,
  )) as { exists: boolean }[];
  if (exists) {
    await runSql(storage.url, 'TRUNCATE deletion');
    return;
  }
  const triggers = noted.map(
    (table) => `CREATE TRIGGER noted AFTER DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION note_deletion()`,
  );
  const ofUsers = `CREATE TRIGGER noted AFTER UPDATE OF removed_at ON user_account FOR EACH ROW EXECUTE FUNCTION note_deletion()`;
  await runSql(storage.url, note, ...triggers, ofUsers);
}

/** How many rows of a table were deleted, and how many by one statement at most. */
async function deletedOf({ storage }: TestService, kind: string): Promise<{ all: number; most: number }> {
  const [counts] = await runSql(
    storage.url,
    Prisma.sql`SELECT coalesce(sum(n), 0)::int AS all, coalesce(max(n), 0)::int AS most FROM (
      SELECT count(*) AS n FROM deletion WHERE kind = ${kind} GROUP BY at) statements`,
  );
  return counts as { all: number; most: number };
}

async function addMessages({ storage }: TestService, threadIds: readonly string[], count: number): Promise<void> {
  await runSql(
    storage.url,
    Prisma.sql`INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
      SELECT 'msg_' || right(id, 20) || i, id, i, 'user', '[]', now()
      FROM unnest(${threadIds}::text[]) AS id, generate_series(1, ${count}::int) AS i`,
    Prisma.sql`UPDATE thread SET last_sequence = ${count}::int WHERE id = ANY (${threadIds}::text[])`,
  );
}

async function addAttachments({ storage }: TestService, owner: Person, threadId: string): Promise<void> {
  await runSql(
    storage.url,
    Prisma.sql`INSERT INTO attachment (id, owner_id, name, media_type, size, content, digest, uploaded_at, message_id, created_at)
      SELECT 'att_' || right(m.id, 20) || '_' || i, ${owner.id}, 'a.txt', 'text/plain', 1, 'a', '\\x00', now(), m.id, now()
      FROM message m, generate_series(1, 10) AS i WHERE m.thread_id = ${threadId}`,
  );
}

/** One long thread, many of a usual length, and one with as many attachments as its messages carry. */
async function fill(service: TestService, owner: Person, updatedAt = new Date()): Promise<number> {
  const seeds = Array.from({ length: many + 2 }, () => ({ updatedAt }));
  const [long = '', rich = '', ...usual] = await addThreads(service, owner, seeds);
  await addMessages(service, [long], longest);
  await addMessages(service, [rich], 40);
  await addMessages(service, usual, 300);
  await addAttachments(service, owner, rich);
  return longest + 40 + many * 300;
}

async function expectBounded(service: TestService, messages: number, attachments = 400): Promise<void> {
  const ofMessages = await deletedOf(service, 'message');
  expect(ofMessages).toEqual({ all: messages, most: expect.toSatisfy((most: number) => most <= mostMessages) });
  const ofAttachments = await deletedOf(service, 'attachment');
  expect(ofAttachments).toEqual({
    all: attachments,
    most: expect.toSatisfy((most: number) => most <= mostAttachments),
  });
}

describe('no statement deletes much', () => {
  it('of the threads whose time is over, and a round of housekeeping deletes all of them', async ({ service }) => {
    const eve = await newcomer(service);
    const { database } = service;
    await database.organization.updateMany({ where: { users: { some: { id: eve.id } } }, data: { retentionDays: 30 } });
    const messages = await fill(service, eve, new Date(Date.now() - 31 * 86_400_000));
    await watch(service);
    const steps = [{ name: 'expired_threads', batch: 100, remove: deleteExpiredThreads }];
    await new Housekeeping({ database, logger, steps }).clean();
    expect(await listIds(eve.rest)).toEqual([]);
    await expectBounded(service, messages);
  });

  it('of a user, with what they sent to threads of others', async ({ service }) => {
    const eve = await newcomer(service);
    const bob = await colleagueOf(service, eve);
    const messages = await fill(service, eve);
    const kept = await addThread(service, bob);
    await addMessages(service, [kept], 30);
    await addAttachments(service, eve, kept);
    await watch(service);
    expect(await deleteUser(service.database, eve.id)).toBe(many + 2);
    await expectBounded(service, messages, 700);
    expect(await listIds(bob.rest)).toEqual([kept]);
  });

  it('of an organization, with its users and what is kept of its deleted threads', async ({ service, database }) => {
    const eve = await newcomer(service);
    const { organizationId } = await database.user.findUniqueOrThrow({ where: { id: eve.id } });
    await service.sql(
      Prisma.sql`INSERT INTO deleted_thread (id, organization_id, is_private, changed_xid)
        SELECT 'thr_gone_' || i, ${organizationId}, false, 1 FROM generate_series(1, 12000) AS i`,
      Prisma.sql`INSERT INTO audit_event (organization_id, act, actor_kind, subject_id)
        SELECT ${organizationId}, 'signed_in', 'user', ${eve.id} FROM generate_series(1, 12000) AS i`,
      Prisma.sql`INSERT INTO user_account (id, organization_id, email)
        SELECT 'usr_left_' || i, ${organizationId}, i || '@left.test' FROM generate_series(1, 250) AS i`,
    );
    await watch(service);
    expect(await deleteOrganization(database, organizationId)).toEqual({ threads: 0, users: 251 });
    const removed = await deletedOf(service, 'user_account');
    expect(removed).toEqual({ all: 251, most: mostUsers });
    for (const kind of ['deleted_thread', 'audit_event']) {
      const { all, most } = await deletedOf(service, kind);
      expect(all).toBeGreaterThanOrEqual(12_000);
      expect(most).toBeLessThanOrEqual(mostRows);
    }
  });

  it('and the message that is being answered goes last, for the lease of its worker', async ({ service }) => {
    const eve = await newcomer(service);
    const { threadId, messageId } = await eve.rest.createThread({ text: 'Hi' });
    await service.sql(
      Prisma.sql`INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
        SELECT 'msg_late_' || i, ${threadId}, 10 + i, 'user', '[]', now() FROM generate_series(1, 3000) AS i`,
      Prisma.sql`UPDATE thread SET last_sequence = 3010 WHERE id = ${threadId}`,
    );
    await watch(service);
    const query = Prisma.sql`SELECT id FROM thread WHERE id = ${threadId} FOR UPDATE`;
    expect(await deleteSomeThreads(service.database, query)).toBe(1);
    const [last] = await service.sql(
      'SELECT array_agg(id) AS ids FROM deletion WHERE at = (SELECT max(at) FROM deletion)',
    );
    expect(new Set((last as { ids: string[] }).ids)).toEqual(new Set([threadId, messageId]));
  });
});
