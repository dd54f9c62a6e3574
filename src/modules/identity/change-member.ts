/**
 * What an administrator does to another member. Nobody does it to themselves, and of two administrators who act on each other
 * at the same time one is refused: so an organization that has an administrator keeps one.
 */
import { Prisma, type PrismaClient, type Role, type User } from '../../../prisma/generated/client/client.js';
import { InvalidInputError, NotAdministratorError, NotFoundError } from '../../errors.js';
import type { Viewer } from './authenticate.js';
import { requireAdministrator } from './members.js';

interface Call {
  database: PrismaClient;
  viewer: Viewer;
}

/** Changes what a member may do. Throws a `NotFoundError` where there is no such member, and an `InvalidInputError` for oneself. */
export function changeMemberRole({ database, viewer }: Call, { id, role }: { id: string; role: Role }): Promise<User> {
  const changed = Prisma.sql`
    changed AS (UPDATE user_account u SET role = ${role}::role FROM target WHERE u.id = target.id RETURNING u.id)`;
  return changeMember({ database, viewer }, { id, changed });
}

/**
 * Ends all that a member can do: a trigger ends sessions, tokens, passwords and links with the membership. What the member has
 * said stays. Throws as `changeMemberRole` does.
 */
export function removeMember({ database, viewer }: Call, id: string): Promise<User> {
  const changed = Prisma.sql`
    changed AS (
      UPDATE user_account u SET removed_at = clock_timestamp() FROM target WHERE u.id = target.id RETURNING u.id
    )`;
  return changeMember({ database, viewer }, { id, changed });
}

/**
 * `changed` gives the id of `target` after its change. Both rows are locked first, in the order of their ids, and looked at as
 * they are then: the viewer may have been removed, or be no administrator any more, since the request was let in.
 */
async function changeMember(
  { database, viewer }: Call,
  { id, changed }: { id: string; changed: Prisma.Sql },
): Promise<User> {
  requireAdministrator(viewer);
  const { userId, organizationId } = viewer;
  if (id === userId)
    throw new InvalidInputError([{ field: 'id', message: 'must not be your own id; ask another administrator' }]);
  const [outcome] = await database.$queryRaw<{ isAllowed: boolean; isChanged: boolean }[]>`
    WITH locked AS (
      SELECT id, role FROM user_account
      WHERE id IN (${id}, ${userId}) AND organization_id = ${organizationId} AND removed_at IS NULL
      ORDER BY id FOR NO KEY UPDATE
    ), actor AS (SELECT FROM locked WHERE id = ${userId} AND role = 'admin'
    ), target AS (SELECT id FROM locked WHERE id = ${id} AND EXISTS (SELECT FROM actor)
    ), ${changed}
    SELECT EXISTS (SELECT FROM actor) AS "isAllowed", EXISTS (SELECT FROM changed) AS "isChanged"`;
  if (!outcome?.isAllowed) throw new NotAdministratorError();
  if (!outcome.isChanged) throw new NotFoundError('user');
  return database.user.findUniqueOrThrow({ where: { id } });
}
