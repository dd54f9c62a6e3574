/**
 * Deletes threads with everything in them: messages, responses, feedback, attachments, history and the words by which a
 * search finds them. What remains is the id, for the feeds of those who could see the thread (`deleted_thread`), and where the
 * thread stood when it ended a page, because cursors do not expire (`list_position`). The thread is locked first, as by every step
 * of the state protocol, so a response that is under way stores nothing, and its worker is told to stop. All of it is one transaction, of
 * statements that each delete a bounded part: PostgreSQL ends a statement that takes long, so a long conversation could otherwise
 * never be deleted.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { NotFoundError, NotOwnerError } from '../../errors.js';
import { actingAs } from '../identity/audit/acting-as.js';
import type { Viewer } from '../identity/authenticate.js';
import { isSession } from '../identity/session.js';
import { visibleTo, visibleToSql } from '../threads/visibility.js';

/**
 * Deletes a thread that the viewer owns, or sees as an administrator who is signed in to the web application. Throws a
 * `NotFoundError` if the viewer cannot see it, and a `NotOwnerError` if it is not theirs.
 */
export async function deleteThread(database: PrismaClient, viewer: Viewer, id: string): Promise<void> {
  const query = Prisma.sql`
    SELECT t.id FROM thread t WHERE t.id = ${id} AND ${visibleToSql(viewer)} AND (t.owner_id = ${viewer.userId} OR ${isSession(viewer)} AND EXISTS (
      SELECT FROM user_account u WHERE u.id = ${viewer.userId} AND u.role = 'admin' AND u.removed_at IS NULL)) FOR UPDATE`;
  const deleted = await deleteSomeThreads(database, query, viewer);
  if (deleted === 1) return;
  const seen = await database.thread.findFirst({ where: { id, AND: [visibleTo(viewer)] }, select: { id: true } });
  throw seen ? new NotOwnerError() : new NotFoundError('thread');
}

/** Messages that one statement deletes. An attachment, which has up to 10 MiB, counts as many of them. */
const weightOfStatement = 2_000;
const weightOfAttachment = 20;

/** A long conversation takes many statements. */
const atLength = { timeout: 600_000, maxWait: 5_000 };

/** `deleteThreads` in a transaction of its own, on behalf of `actor`; without one, of the operator or the service. */
export function deleteSomeThreads(
  database: PrismaClient,
  query: Prisma.Sql,
  actor?: Pick<Viewer, 'userId'>,
): Promise<number> {
  const act = (transaction: PrismaClient) => deleteThreads(transaction, query);
  if (actor) return actingAs(database, actor, act, atLength);
  return database.$transaction((transaction) => act(transaction as PrismaClient), atLength);
}

/**
 * Deletes threads whose ids the query gives, which must lock them: all of them, or where they are long as many as are little work, at
 * least one. Returns how many: none if the query gives none.
 */
export async function deleteThreads(
  transaction: Pick<PrismaClient, '$executeRaw' | '$queryRaw'>,
  query: Prisma.Sql,
): Promise<number> {
  const threads = await transaction.$queryRaw<{ id: string; last: number }[]>`
    WITH doomed AS MATERIALIZED (${query}), weighed AS (
      SELECT t.id, t.last_sequence AS last, sum(t.last_sequence) OVER (ORDER BY t.id) AS total
      FROM doomed JOIN thread t ON t.id = doomed.id)
    SELECT id, last FROM weighed WHERE total - last < ${weightOfStatement}::int`;
  if (threads.length === 0) return 0;
  const ids = threads.map(({ id }) => id);
  let newest: number | null = Math.max(...threads.map(({ last }) => last));
  while (newest !== null) newest = await deleteMessages(transaction, ids, newest);
  await transaction.$queryRaw`
    SELECT wake('response_stop', message_id)::text FROM response
    WHERE thread_id = ANY (${ids}::text[]) AND status = 'running'`;
  return transaction.$executeRaw`
    WITH chunks AS (
      DELETE FROM token_chunk c USING response r WHERE r.thread_id = ANY (${ids}::text[]) AND c.response_id = r.message_id)
    DELETE FROM thread WHERE id = ANY (${ids}::text[])`;
}

/**
 * Deletes some of the newest messages up to a sequence number, and returns that of the oldest of them; null if there are none. The
 * newest first, because what a message takes along comes after it. A message that is being answered is left for the last
 * statement: the renewal of all leases of its worker would wait for it.
 */
async function deleteMessages(
  transaction: Pick<PrismaClient, '$queryRaw'>,
  threadIds: readonly string[],
  newest: number,
): Promise<number | null> {
  const [deleted] = await transaction.$queryRaw<{ oldest: number | null }[]>`
    WITH newest AS MATERIALIZED (
      SELECT m.id, m.sequence FROM message m
      WHERE m.thread_id = ANY (${threadIds}::text[]) AND m.sequence <= ${newest}::int AND m.id NOT IN (
        SELECT r.message_id FROM response r
        WHERE r.thread_id = ANY (${threadIds}::text[]) AND r.status IN ('queued', 'running'))
      ORDER BY m.sequence DESC LIMIT ${weightOfStatement}::int),
    parts AS (
      SELECT n.id, n.sequence,
        1 + ${weightOfAttachment}::int * (SELECT count(*) FROM attachment a WHERE a.message_id = n.id) AS weight
      FROM newest n),
    weighed AS (SELECT id, weight, sum(weight) OVER (ORDER BY sequence DESC, id) AS total FROM parts),
    doomed AS MATERIALIZED (SELECT id FROM weighed WHERE total - weight < ${weightOfStatement}::int),
    chunks AS (DELETE FROM token_chunk c USING doomed WHERE c.response_id = doomed.id),
    deleted AS (DELETE FROM message m USING doomed WHERE m.id = doomed.id RETURNING m.sequence)
    SELECT min(sequence)::int AS oldest FROM deleted`;
  return deleted?.oldest ?? null;
}
