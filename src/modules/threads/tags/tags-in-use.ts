/** The tags that threads have, to choose from. They are counted among few threads, so that the cost has a bound. */
import { Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import { maximumTagsInUse } from '../../../contract.js';
import type { Viewer } from '../../identity/authenticate.js';
import { visibleToSql } from '../visibility.js';

/** How many threads with tags are read at most: those that were active last. */
export const countedThreads = 2000;

/** The most frequent tags of the threads that the viewer can see, each in its most frequent spelling. */
export async function readTagsInUse(database: PrismaClient, viewer: Viewer): Promise<string[]> {
  const rows = await database.$queryRaw<{ tag: string }[]>(tagsInUseSql(viewer));
  return rows.map(({ tag }) => tag);
}

/** The statement that reads them. Exported so that a test can check its plan. */
export function tagsInUseSql(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`
    SELECT mode() WITHIN GROUP (ORDER BY used.tag COLLATE "C") AS tag
    FROM (
      SELECT t.tags, t.tag_keys FROM thread t WHERE ${visibleToSql(viewer)} AND t.tag_keys <> '{}'
      ORDER BY coalesce(t.active_at, t.updated_at) DESC, t.id DESC LIMIT ${countedThreads}) recent
    CROSS JOIN LATERAL unnest(recent.tags, recent.tag_keys) AS used (tag, key)
    GROUP BY used.key ORDER BY count(*) DESC, used.key COLLATE "C" LIMIT ${maximumTagsInUse}`;
}
