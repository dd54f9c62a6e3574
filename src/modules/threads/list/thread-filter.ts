/** Filters of the list of threads. A thread must meet all that are given. */
import { Prisma } from '../../../../prisma/generated/client/client.js';
import { isId } from '../../../ids.js';
import type { Viewer } from '../../identity/authenticate.js';
import { storedKey } from '../tags/check-tags.js';

export interface ThreadFilter {
  /** Only the viewer's own threads (true) or only those of others (false). */
  owned?: boolean | null | undefined;
  /** Only the threads of this user. */
  ownerId?: string | null | undefined;
  /** Only private threads (true) or only public ones (false). */
  private?: boolean | null | undefined;
  /** Whether to include archived threads. Default: false. */
  archived?: boolean | null | undefined;
  /** Whether to return only archived threads; overrides `archived`. Default: false. */
  onlyArchived?: boolean | null | undefined;
  /** Words to search for in names and active messages, in web-search syntax. */
  q?: string | null | undefined;
  /** Only the threads that the viewer has pinned (true) or only others (false). */
  pinned?: boolean | null | undefined;
  /** Only the threads with this tag. */
  tag?: string | null | undefined;
  updatedSince?: Date | null | undefined;
}

/** The conditions as SQL, in which `t` is the thread; all but `q`, which a search adds. */
export function threadFilterSql(viewer: Viewer, filter: ThreadFilter): Prisma.Sql {
  const conditions = [Prisma.sql`true`];
  if (filter.owned === true) conditions.push(Prisma.sql`t.owner_id = ${viewer.userId}`);
  if (filter.owned === false) conditions.push(Prisma.sql`t.owner_id <> ${viewer.userId}`);
  if (filter.ownerId != null) conditions.push(ownedBySql(filter.ownerId));
  if (filter.private === true) conditions.push(privateSql(viewer, filter));
  if (filter.private === false) conditions.push(Prisma.sql`NOT t.is_private`);
  if (filter.onlyArchived === true) conditions.push(Prisma.sql`t.archived`);
  else if (filter.archived !== true) conditions.push(Prisma.sql`NOT t.archived`);
  if (filter.pinned != null) conditions.push(pinnedSql(viewer, filter.pinned));
  if (filter.tag != null) conditions.push(taggedSql(viewer, filter.tag));
  if (filter.updatedSince) conditions.push(Prisma.sql`t.updated_at > ${filter.updatedSince}`);
  return Prisma.join(conditions, ' AND ');
}

/**
 * Visible private threads are the viewer's own, so none is that of others. The redundant condition lets the owner's index serve
 * the list.
 */
function privateSql({ userId }: Viewer, { owned }: ThreadFilter): Prisma.Sql {
  return owned === false ? Prisma.sql`false` : Prisma.sql`t.is_private AND t.owner_id = ${userId}`;
}

/** Nobody has an id that is not well-formed, and PostgreSQL cannot take every text. */
function ownedBySql(ownerId: string): Prisma.Sql {
  return isId('usr', ownerId) ? Prisma.sql`t.owner_id = ${ownerId}` : Prisma.sql`false`;
}

/** An array, so that the few pinned threads are read by their ids and not looked for in the order of the list. */
function pinnedSql({ userId }: Viewer, pinned: boolean): Prisma.Sql {
  const pins = Prisma.sql`ARRAY(SELECT p.thread_id FROM thread_pin p WHERE p.user_id = ${userId})`;
  return pinned ? Prisma.sql`t.id = ANY(${pins})` : Prisma.sql`t.id <> ALL(${pins})`;
}

/** The second condition follows from the first; with it, PostgreSQL can use the indexes of threads that have tags. */
function taggedSql(viewer: Viewer, tag: string): Prisma.Sql {
  const key = storedKey(viewer, tag);
  return key === null ? Prisma.sql`false` : Prisma.sql`t.tag_keys @> ARRAY[${key}::text] AND t.tag_keys <> '{}'`;
}
