/** The filters of the list of threads; each may be left out, and all that are given must hold. */
import { Prisma } from '../../../prisma/generated/client/client.js';
import type { Viewer } from '../identity/authenticate.js';

export interface ThreadFilter {
  /** True: only the viewer's own; false: only those of others. */
  owned?: boolean | null | undefined;
  /** True: only private ones; false: only public ones. */
  private?: boolean | null | undefined;
  /** Whether to include archived threads. Default: false. */
  archived?: boolean | null | undefined;
  /** Whether to return only archived threads; overrides `archived`. Default: false. */
  onlyArchived?: boolean | null | undefined;
  /** Words to search for in names and active messages, in web-search syntax. */
  q?: string | null | undefined;
  updatedSince?: Date | null | undefined;
}

/** The conditions as SQL in which the thread has the alias `t`. */
export function threadFilterSql(viewer: Viewer, filter: ThreadFilter): Prisma.Sql {
  const conditions = [Prisma.sql`true`];
  if (filter.owned === true) conditions.push(Prisma.sql`t.owner_id = ${viewer.userId}`);
  if (filter.owned === false) conditions.push(Prisma.sql`t.owner_id <> ${viewer.userId}`);
  // A private thread that the viewer sees is the viewer's own: said here, it lets the index of the owner serve the list.
  if (filter.private === true) conditions.push(Prisma.sql`t.is_private AND t.owner_id = ${viewer.userId}`);
  if (filter.private === false) conditions.push(Prisma.sql`NOT t.is_private`);
  if (filter.onlyArchived === true) conditions.push(Prisma.sql`t.archived`);
  else if (filter.archived !== true) conditions.push(Prisma.sql`NOT t.archived`);
  if (filter.updatedSince) conditions.push(Prisma.sql`t.updated_at > ${filter.updatedSince}`);
  if (filter.q?.trim()) conditions.push(matches(filter.q));
  return Prisma.join(conditions, ' AND ');
}

/** Two index probes instead of one condition with OR, which no index could serve. */
function matches(q: string): Prisma.Sql {
  return Prisma.sql`t.id IN (
    SELECT id FROM thread WHERE search @@ search_query(${q})
    UNION
    SELECT thread_id FROM message WHERE active AND search @@ search_query(${q}))`;
}
