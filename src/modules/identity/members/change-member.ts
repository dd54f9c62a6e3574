/**
 * Changes to other members by an administrator. Nobody can change themselves, and of two administrators who change each
 * other at the same time, one is rejected: an organization always keeps an administrator.
 */
import { Prisma, type PrismaClient, type Role, type User } from '../../../../prisma/generated/client/client.js';
import { InvalidInputError, NotAdministratorError, NotFoundError } from '../../../errors.js';
import type { Viewer } from '../authenticate.js';
import { requireAdministrator } from './members.js';

interface Call {
  database: PrismaClient;
  viewer: Viewer;
}

/**
 * Changes the role of a member. Throws a `NotFoundError` for an unknown member, and an `InvalidInputError` for oneself.
 */
export function changeMemberRole({ database, viewer }: Call, { id, role }: { id: string; role: Role }): Promise<User> {
  const changed = Prisma.sql`
    changed AS (UPDATE user_account u SET role = ${role}::role FROM target WHERE u.id = target.id RETURNING u.id)`;
  return changeMember({ database, viewer }, { id, changed });
}

/**
 * Removes a member: a trigger ends their sessions, tokens, passwords and links. Their messages stay. Throws like
 * `changeMemberRole`.
 */
export function removeMember({ database, viewer }: Call, id: string): Promise<User> {
  const changed = Prisma.sql`
    changed AS (
      UPDATE user_account u SET removed_at = clock_timestamp() FROM target WHERE u.id = target.id RETURNING u.id
    )`;
  return changeMember({ database, viewer }, { id, changed });
}

/**
 * Runs a change of `target`. Both rows are locked first, in the order of their ids, and checked afterwards, because the
 * viewer may have been removed or demoted since the request was authenticated.
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
    SELECT EXISTS (SELECT FROM actor) AS "isAllowed", EXISTS (SELECT FROM changed) AS "isChanged",
      set_config('skein.actor', ${userId}, true)`;
  if (!outcome?.isAllowed) throw new NotAdministratorError();
  if (!outcome.isChanged) throw new NotFoundError('user');
  return database.user.findUniqueOrThrow({ where: { id } });
}
