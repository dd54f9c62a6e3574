/**
 * Changes that only the owner of a thread may make: its name, its instructions, whether it is archived, and who sees it. Each is one
 * conditional statement that updates the thread only if something changes, so that repeating a change does not move the
 * thread in lists.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { NotFoundError, NotOwnerError } from '../../errors.js';
import type { Viewer } from '../identity/authenticate.js';
import { monotonicNow } from './clock.js';
import { visibleTo, visibleToSql } from './visibility.js';

export type ThreadChange = { id: string } & (
  | { field: 'name' | 'instructions'; value: string | null }
  | { field: 'archived' | 'isPrivate'; value: boolean }
);

const columns = {
  name: Prisma.sql`name`,
  instructions: Prisma.sql`instructions`,
  archived: Prisma.sql`archived`,
  isPrivate: Prisma.sql`is_private`,
};

/**
 * Makes the change, unless it is already made. Throws a `NotFoundError` if the viewer cannot see the thread, and a
 * `NotOwnerError` if somebody else owns it.
 */
export async function changeThread(database: PrismaClient, viewer: Viewer, change: ThreadChange): Promise<void> {
  const { id, value } = change;
  const column = columns[change.field];
  const changed = await database.$queryRaw<unknown[]>`
    UPDATE thread t SET ${column} = ${value}, updated_at = ${monotonicNow(Prisma.sql`t.updated_at`)}
    WHERE t.id = ${id} AND t.owner_id = ${viewer.userId} AND ${visibleToSql(viewer)} AND t.${column} IS DISTINCT FROM ${value}
    RETURNING t.id`;
  if (changed.length === 0) await refuseUnlessOwned(database, viewer, id);
}

/** Throws a `NotFoundError` if the viewer cannot see the thread, and a `NotOwnerError` if somebody else owns it. */
export async function refuseUnlessOwned(database: PrismaClient, viewer: Viewer, id: string): Promise<void> {
  const where = { id, AND: [visibleTo(viewer)] };
  const thread = await database.thread.findFirst({ where, select: { ownerId: true } });
  if (!thread) throw new NotFoundError('thread');
  if (thread.ownerId !== viewer.userId) throw new NotOwnerError();
}
