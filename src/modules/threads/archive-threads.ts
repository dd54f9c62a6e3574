/**
 * Archives or unarchives several threads at once. Rows are locked in the order of their ids, so that two of these
 * statements over the same threads wait for each other instead of ending in a deadlock.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { maximumArchived } from '../../contract.js';
import { InvalidInputError } from '../../errors.js';
import { isId } from '../../ids.js';
import type { Viewer } from '../identity/authenticate.js';
import { monotonicNow } from './clock.js';
import { visibleToSql } from './visibility.js';

/**
 * Returns the ids of the threads that changed. Threads that are already so, that somebody else owns or that the viewer
 * cannot see are left as they are. Throws an `InvalidInputError` for too many ids.
 */
export async function archiveThreads(
  database: PrismaClient,
  viewer: Viewer,
  { ids, archived }: { ids: readonly string[]; archived: boolean },
): Promise<string[]> {
  if (ids.length > maximumArchived) {
    throw new InvalidInputError([{ field: 'ids', message: `must have at most ${maximumArchived} ids` }]);
  }
  const known = [...new Set(ids)].filter((id) => isId('thr', id));
  if (known.length === 0) return [];
  const changed = await database.$queryRaw<{ id: string }[]>`
    WITH chosen AS (
      SELECT t.id FROM thread t
      WHERE t.id = ANY(${known}) AND t.owner_id = ${viewer.userId} AND ${visibleToSql(viewer)} AND t.archived <> ${archived}
      ORDER BY t.id FOR NO KEY UPDATE)
    UPDATE thread t SET archived = ${archived}, updated_at = ${monotonicNow(Prisma.sql`t.updated_at`)}
    FROM chosen WHERE t.id = chosen.id
    RETURNING t.id`;
  return changed.map(({ id }) => id);
}
