/**
 * The one rule of who may see a thread: members of its organization, and of a private thread its owner alone. It stands in
 * the WHERE of every read and of every conditional write, so what a caller may not see is not found by construction.
 * It has several forms, because some statements are Prisma's and some are SQL, and Prisma cannot filter the one row at the
 * other end of a relation; tests hold that they agree.
 */
import { Prisma, type Thread } from '../../../prisma/generated/client/client.js';
import type { Viewer } from '../identity/authenticate.js';

type Who = Pick<Viewer, 'organizationId' | 'userId'>;

export function visibleTo(viewer: Who): Prisma.ThreadWhereInput {
  return { organizationId: viewer.organizationId, OR: [{ isPrivate: false }, { ownerId: viewer.userId }] };
}

/** The same, for SQL in which the thread has the alias `t`. */
export function visibleToSql(viewer: Who): Prisma.Sql {
  return Prisma.sql`(t.organization_id = ${viewer.organizationId} AND (NOT t.is_private OR t.owner_id = ${viewer.userId}))`;
}

/** The same, for a thread that came with another one. */
export function isVisibleTo(viewer: Who, thread: Pick<Thread, 'organizationId' | 'isPrivate' | 'ownerId'>): boolean {
  return thread.organizationId === viewer.organizationId && (!thread.isPrivate || thread.ownerId === viewer.userId);
}
