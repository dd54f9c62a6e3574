/**
 * What the owner of a thread may change: its name, whether it is put away, who sees it. Each is one conditional statement
 * that touches the thread only where something changes, so that the same change made twice does not move it in the list.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { NotFoundError, NotOwnerError } from '../../errors.js';
import { isId } from '../../ids.js';
import type { Viewer } from '../identity/authenticate.js';
import { monotonicNow } from './clock.js';
import { visibleTo, visibleToSql } from './visibility.js';

export type ThreadChange = { id: string } & (
  | { field: 'name'; value: string | null }
  | { field: 'archived' | 'isPrivate'; value: boolean }
);

const columns = { name: Prisma.sql`name`, archived: Prisma.sql`archived`, isPrivate: Prisma.sql`is_private` };

/**
 * Makes the change; one that is already made changes nothing. Throws a `NotFoundError` where the viewer sees no such
 * thread, and a `NotOwnerError` where the viewer sees the thread of somebody else.
 */
export async function changeThread(database: PrismaClient, viewer: Viewer, change: ThreadChange): Promise<void> {
  const { id, value } = change;
  if (!isId('thr', id)) throw new NotFoundError('thread');
  const column = columns[change.field];
  const changed = await database.$queryRaw<unknown[]>`
    UPDATE thread t SET ${column} = ${value}, updated_at = ${monotonicNow(Prisma.sql`t.updated_at`)}
    WHERE t.id = ${id} AND t.owner_id = ${viewer.userId} AND ${visibleToSql(viewer)} AND t.${column} IS DISTINCT FROM ${value}
    RETURNING t.id`;
  if (changed.length > 0) return;
  const where = { id, AND: [visibleTo(viewer)] };
  const thread = await database.thread.findFirst({ where, select: { ownerId: true } });
  if (!thread) throw new NotFoundError('thread');
  if (thread.ownerId !== viewer.userId) throw new NotOwnerError();
}
