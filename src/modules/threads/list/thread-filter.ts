/** Filters of the list of threads. A thread must meet all that are given. */
import { Prisma } from '../../../../prisma/generated/client/client.js';
import type { Viewer } from '../../identity/authenticate.js';

export interface ThreadFilter {
  /** Only the viewer's own threads (true) or only those of others (false). */
  owned?: boolean | null | undefined;
  /** Only private threads (true) or only public ones (false). */
  private?: boolean | null | undefined;
  /** Whether to include archived threads. Default: false. */
  archived?: boolean | null | undefined;
  /** Whether to return only archived threads; overrides `archived`. Default: false. */
  onlyArchived?: boolean | null | undefined;
  /** Words to search for in names and active messages, in web-search syntax. */
  q?: string | null | undefined;
  updatedSince?: Date | null | undefined;
}

/** The conditions as SQL, in which `t` is the thread; all but `q`, which `search-threads.ts` adds. */
export function threadFilterSql(viewer: Viewer, filter: ThreadFilter): Prisma.Sql {
  const conditions = [Prisma.sql`true`];
  if (filter.owned === true) conditions.push(Prisma.sql`t.owner_id = ${viewer.userId}`);
  if (filter.owned === false) conditions.push(Prisma.sql`t.owner_id <> ${viewer.userId}`);
  // Visible private threads are the viewer's own. The redundant condition lets the owner's index serve the list.
  if (filter.private === true) conditions.push(Prisma.sql`t.is_private AND t.owner_id = ${viewer.userId}`);
  if (filter.private === false) conditions.push(Prisma.sql`NOT t.is_private`);
  if (filter.onlyArchived === true) conditions.push(Prisma.sql`t.archived`);
  else if (filter.archived !== true) conditions.push(Prisma.sql`NOT t.archived`);
  if (filter.updatedSince) conditions.push(Prisma.sql`t.updated_at > ${filter.updatedSince}`);
  return Prisma.join(conditions, ' AND ');
}
