/**
 * Sets the tags of a thread. They file it and say nothing new in it, so neither `updated_at` nor the place of the thread in any
 * list changes; feeds report the change, because a trigger notes each update of the row.
 */
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { Viewer } from '../../identity/authenticate.js';
import { refuseUnlessOwned } from '../change-thread.js';
import { visibleToSql } from '../visibility.js';
import { checkTags, storedKey } from './check-tags.js';

/**
 * Replaces the tags, unless they are so already. Throws an `InvalidInputError` for tags that no thread can have, a
 * `NotFoundError` if the viewer cannot see the thread, and a `NotOwnerError` if somebody else owns it.
 */
export async function setTags(
  database: PrismaClient,
  viewer: Viewer,
  { id, tags: written }: { id: string; tags: readonly string[] },
): Promise<void> {
  const tags = checkTags(written);
  const keys = tags.map((tag) => storedKey(viewer, tag));
  const changed = await database.$queryRaw<unknown[]>`
    UPDATE thread t SET tags = ${tags}::text[], tag_keys = ${keys}::text[]
    WHERE t.id = ${id} AND t.owner_id = ${viewer.userId} AND ${visibleToSql(viewer)} AND t.tags IS DISTINCT FROM ${tags}::text[]
    RETURNING t.id`;
  if (changed.length === 0) await refuseUnlessOwned(database, viewer, id);
}
