/**
 * The only rule for who may see a thread: members of its organization or, if it is private, only its owner. Every read
 * and every conditional write has it in its WHERE clause, so a thread that the caller may not see is not found. There
 * are several forms, because some statements are Prisma's and some are SQL, and Prisma cannot filter a to-one relation;
 * tests check that they agree.
 */
import { Prisma, type Thread } from '../../../prisma/generated/client/client.js';
import type { Viewer } from '../identity/authenticate.js';

export type Who = Pick<Viewer, 'organizationId' | 'userId'>;

export function visibleTo(viewer: Who): Prisma.ThreadWhereInput {
  return { organizationId: viewer.organizationId, OR: [{ isPrivate: false }, { ownerId: viewer.userId }] };
}

/** The rule as SQL, in which `t` is the thread. */
export function visibleToSql(viewer: Who): Prisma.Sql {
  return Prisma.sql`(t.organization_id = ${viewer.organizationId} AND (NOT t.is_private OR t.owner_id = ${viewer.userId}))`;
}

/**
 * Joins the thread of a row `r` as `t`. `LIMIT` makes PostgreSQL look it up by its key: a plain join that was planned while there were
 * few threads begins with all threads of the organization, and keeps to that when there are many.
 */
export const threadOfSql = Prisma.sql`CROSS JOIN LATERAL (SELECT * FROM thread WHERE id = r.thread_id LIMIT 1) t`;

/** The rule for a thread that was loaded with another one. */
export function isVisibleTo(viewer: Who, thread: Pick<Thread, 'organizationId' | 'isPrivate' | 'ownerId'>): boolean {
  return thread.organizationId === viewer.organizationId && (!thread.isPrivate || thread.ownerId === viewer.userId);
}

/** A message of a thread's active branch, named by both ids, as a query that finds nothing unless the viewer may see it. */
export function visibleMessageSql(
  viewer: Who,
  { threadId, messageId }: { threadId: string; messageId: string },
): Prisma.Sql {
  return Prisma.sql`
    SELECT m.id, m.thread_id, m.sequence, m.role FROM message m JOIN thread t ON t.id = m.thread_id
    WHERE m.id = ${messageId} AND m.thread_id = ${threadId} AND m.hidden_with_id IS NULL AND ${visibleToSql(viewer)}`;
}
