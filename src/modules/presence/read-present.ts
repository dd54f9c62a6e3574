import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import type { Viewer } from '../identity/authenticate.js';
import { tokenLivesSql } from '../identity/tokens/living-token.js';
import { visibleToSql } from '../threads/visibility.js';
import type { PresentUser } from './roster.js';

export interface PresentPerson {
  id: string;
  name: string | null;
  isWriting: boolean;
}

export interface PeopleInThread {
  count: number;
  people: PresentPerson[];
}

/** People who are named; the others are only counted. */
export const mostNamed = 50;

type Row = { [Key in keyof PresentPerson]: PresentPerson[Key] | null } & { count: bigint };

/**
 * Names those of the users who may see the thread; whoever was removed is left out. Null if the viewer may not see it, or
 * their token has ended.
 */
export async function readPresent(
  database: PrismaClient,
  viewer: Viewer,
  { threadId, users }: { threadId: string; users: readonly PresentUser[] },
): Promise<PeopleInThread | null> {
  const ids = users.map(({ userId }) => userId);
  const writing = users.map(({ isWriting }) => isWriting);
  const rows = await database.$queryRaw<Row[]>`
    SELECT u.id, u.name, p.is_writing AS "isWriting", count(u.id) OVER () AS count
    FROM thread t LEFT JOIN (unnest(${ids}::text[], ${writing}::boolean[]) AS p (id, is_writing)
        JOIN user_account u ON u.id = p.id AND u.removed_at IS NULL)
      ON u.organization_id = t.organization_id AND (NOT t.is_private OR u.id = t.owner_id)
    WHERE t.id = ${threadId} AND ${visibleToSql(viewer)} AND ${tokenLivesSql(viewer)}
    ORDER BY p.is_writing DESC, u.name, u.id LIMIT ${mostNamed}`;
  const [first] = rows;
  if (!first) return null;
  // A thread in which nobody is has a row without a person.
  const people = rows.flatMap(({ id, name, isWriting }) => (id === null ? [] : { id, name, isWriting: !!isWriting }));
  return { count: Number(first.count), people };
}
