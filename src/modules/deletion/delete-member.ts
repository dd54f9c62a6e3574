/** What an administrator may do: delete another member of the organization, present or removed. */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { NotFoundError } from '../../errors.js';
import type { Viewer } from '../identity/authenticate.js';
import { removeMember } from '../identity/members/change-member.js';
import { requireAdministrator } from '../identity/members/members.js';
import { deleteUser } from './delete-user.js';

/**
 * Deletes a member and returns how many threads went with them. Throws a `NotAdministratorError`, a `NotFoundError` for an
 * unknown member, and an `InvalidInputError` for oneself.
 */
export async function deleteMember(
  call: { database: PrismaClient; viewer: Viewer },
  memberId: string,
): Promise<number> {
  const { database, viewer } = call;
  requireAdministrator(viewer);
  const where = { id: memberId, organizationId: viewer.organizationId };
  const member = await database.user.findFirst({ where, select: { removedAt: true } });
  if (!member) throw new NotFoundError('user');
  if (!member.removedAt) await removeMember(call, memberId);
  return deleteUser(database, memberId, { actor: viewer });
}
