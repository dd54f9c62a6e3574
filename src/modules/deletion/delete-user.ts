/**
 * Deletes users and organizations with everything of theirs. A user loses their access first, so that nothing is added any
 * more; then their threads go in batches, so that no statement takes long, and the user last. What they sent to threads of
 * others stays there, without their name. If a deletion is interrupted, deleting again continues it.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { actingAs } from '../identity/audit/acting-as.js';
import type { Viewer } from '../identity/authenticate.js';
import { deleteSomeThreads } from './delete-thread.js';

/** Threads, messages or users of one statement. */
const batch = 100;
/** Attachments of one statement: each has up to 10 MiB. */
const attachmentBatch = 20;
/** Rows of one statement with which nothing else goes. */
const rowBatch = 5_000;

/*
 * Each batch is looked up by a range of one value, in the order of an index. For a value that many rows have, PostgreSQL
 * would otherwise read the table from its beginning: past all that was deleted before, and at last, when no row is left
 * but the statistics still promise many, past everything, until the time of a statement is over.
 */

export interface DeletionOptions {
  /** On whose behalf; without one, of the operator. */
  actor?: Pick<Viewer, 'userId'>;
  /** Is told how many more threads are deleted. */
  onThreads?: (more: number) => void;
}

/** Deletes a user with their threads, attachments, ratings, tokens and sessions. Returns how many threads that were. */
export async function deleteUser(
  database: PrismaClient,
  userId: string,
  { actor, onThreads }: DeletionOptions = {},
): Promise<number> {
  await database.user.updateMany({ where: { id: userId, removedAt: null }, data: { removedAt: new Date() } });
  let threads = 0;
  const query = Prisma.sql`
    SELECT t.id FROM thread t WHERE t.owner_id BETWEEN ${userId} AND ${userId}
    ORDER BY t.owner_id, t.id LIMIT ${batch}::int FOR UPDATE`;
  await untilNone(async () => {
    const deleted = await deleteSomeThreads(database, query, actor);
    threads += deleted;
    onThreads?.(deleted);
    return deleted;
  });
  await untilNone(() => unnameMessages(database, userId));
  await untilNone(() => deleteAttachments(database, userId));
  // Nobody but this user was told of the deleted threads that name them.
  await removeLast(
    database,
    Prisma.sql`
    WITH forgotten AS (DELETE FROM deleted_thread WHERE owner_id = ${userId})
    DELETE FROM user_account WHERE id = ${userId}`,
    actor,
  );
  return threads;
}

/** Deletes the row that all others referred to. PostgreSQL looks whether any is left, and for that reads no table either. */
async function removeLast(database: PrismaClient, statement: Prisma.Sql, actor?: Pick<Viewer, 'userId'>) {
  const act = async (transaction: Pick<PrismaClient, '$executeRaw' | '$queryRaw'>) => {
    await transaction.$queryRaw`SELECT set_config('enable_seqscan', 'off', true)`;
    await transaction.$executeRaw(statement);
  };
  await (actor ? actingAs(database, actor, act) : database.$transaction(act));
}

/** Takes the name from messages in threads of others. Returns from how many. */
function unnameMessages(database: PrismaClient, userId: string): Promise<number> {
  return database.$executeRaw`
    UPDATE message SET author_id = NULL
    WHERE id = ANY (ARRAY(
      SELECT id FROM message WHERE author_id BETWEEN ${userId} AND ${userId}
      ORDER BY author_id, id LIMIT ${batch}::int))`;
}

/** Deletes some of what the user sent to threads of others, or did not send. Returns how many attachments. */
function deleteAttachments(database: PrismaClient, userId: string): Promise<number> {
  return database.$executeRaw`
    DELETE FROM attachment
    WHERE id = ANY (ARRAY(
      SELECT id FROM attachment WHERE owner_id BETWEEN ${userId} AND ${userId}
      ORDER BY owner_id, id LIMIT ${attachmentBatch}::int))`;
}

async function untilNone(removeSome: () => Promise<number>): Promise<void> {
  while ((await removeSome()) > 0);
}

/** Deletes an organization with all of its users. Returns how many threads and users that were. */
export async function deleteOrganization(
  database: PrismaClient,
  organizationId: number,
  options: Pick<DeletionOptions, 'onThreads'> = {},
): Promise<{ threads: number; users: number }> {
  const users = await database.user.findMany({ where: { organizationId }, select: { id: true } });
  await untilNone(() => removeUsers(database, organizationId));
  let threads = 0;
  for (const { id } of users) threads += await deleteUser(database, id, options);
  await untilNone(() => forgetDeletedThreads(database, organizationId));
  await untilNone(() => forgetEvents(database, organizationId));
  await removeLast(database, Prisma.sql`DELETE FROM organization WHERE id = ${organizationId}`);
  return { threads, users: users.length };
}

/** Ends the access of some users, whose tokens and sessions end with it. Returns how many. */
function removeUsers(database: PrismaClient, organizationId: number): Promise<number> {
  return database.$executeRaw`
    UPDATE user_account SET removed_at = now() WHERE id = ANY (ARRAY(
      SELECT id FROM user_account WHERE organization_id = ${organizationId} AND removed_at IS NULL LIMIT ${batch}::int))`;
}

function forgetDeletedThreads(database: PrismaClient, organizationId: number): Promise<number> {
  return database.$executeRaw`
    DELETE FROM deleted_thread WHERE id = ANY (ARRAY(
      SELECT id FROM deleted_thread WHERE organization_id BETWEEN ${organizationId} AND ${organizationId}
      ORDER BY organization_id LIMIT ${rowBatch}::int))`;
}

function forgetEvents(database: PrismaClient, organizationId: number): Promise<number> {
  return database.$executeRaw`
    DELETE FROM audit_event WHERE id = ANY (ARRAY(
      SELECT id FROM audit_event WHERE organization_id BETWEEN ${organizationId} AND ${organizationId}
      ORDER BY organization_id LIMIT ${rowBatch}::int))`;
}
