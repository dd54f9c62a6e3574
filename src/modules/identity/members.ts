/**
 * Who belongs to an organization, and who lets others in: an administrator, at a browser. Nobody signs up, and no token can be
 * turned into an account.
 */
import type { PrismaClient, Role, User } from '../../../prisma/generated/client/client.js';
import { InvalidInputError, NotAdministratorError, NotFoundError } from '../../errors.js';
import { createId } from '../../ids.js';
import type { Viewer } from './authenticate.js';
import { addressOf } from './provision.js';
import { isSession } from './session.js';
import { type IssuedLink, issueSignInLink } from './sign-in-link.js';

export interface Invitation {
  email: string;
  name: string | null;
  role: Role;
}

export interface InvitedMember {
  member: User;
  link: IssuedLink;
}

/** Throws a `NotAdministratorError` for everybody else. */
export function requireAdministrator(viewer: Viewer): void {
  if (viewer.role !== 'admin' || !isSession(viewer)) throw new NotAdministratorError();
}

/**
 * Makes a user of the viewer's organization, or lets one in again who was removed, and the link with which they sign in.
 * Throws an `InvalidInputError` for an address that is none or is taken, be it in another organization.
 */
export async function inviteMember(
  { database, viewer, publicUrl }: { database: PrismaClient; viewer: Viewer; publicUrl: string },
  { email: given, name, role }: Invitation,
): Promise<InvitedMember> {
  requireAdministrator(viewer);
  const email = addressOf(given);
  if (email === null) throw new InvalidInputError([{ field: 'email', message: 'is no e-mail address' }]);
  const data = { id: createId('usr'), organizationId: viewer.organizationId, email, name, role };
  // Each is one statement, so that of two who invite the same person one is told so.
  const [made] = await database.user.createManyAndReturn({ data: [data], skipDuplicates: true });
  const where = { email, organizationId: viewer.organizationId, removedAt: { not: null } };
  const [member = made] = made
    ? []
    : await database.user.updateManyAndReturn({ where, data: { name, role, removedAt: null } });
  if (!member) {
    throw new InvalidInputError([{ field: 'email', message: 'has an account already; make a new link instead' }]);
  }
  return { member, link: await issueSignInLink(database, { userId: member.id, publicUrl }) };
}

/** A new link for a member who has lost the former one, or their password. Throws a `NotFoundError` where there is none. */
export async function renewSignInLink(
  { database, viewer, publicUrl }: { database: PrismaClient; viewer: Viewer; publicUrl: string },
  id: string,
): Promise<InvitedMember> {
  requireAdministrator(viewer);
  const member = await database.user.findFirst({ where: present(viewer, id) });
  if (!member) throw new NotFoundError('user');
  return { member, link: await issueSignInLink(database, { userId: member.id, publicUrl }) };
}

/**
 * Changes what a member may do. Throws a `NotFoundError` where there is no such member, and an `InvalidInputError` for
 * oneself: so an organization that has an administrator keeps one.
 */
export async function changeMemberRole(
  { database, viewer }: { database: PrismaClient; viewer: Viewer },
  { id, role }: { id: string; role: Role },
): Promise<User> {
  requireAdministrator(viewer);
  refuseOneself(viewer, id);
  const [member] = await database.user.updateManyAndReturn({ where: present(viewer, id), data: { role } });
  if (!member) throw new NotFoundError('user');
  return member;
}

/**
 * Ends all that a member can do: sessions, tokens, passwords and links, in one statement; what the member has said stays.
 * Throws as `changeMemberRole` does.
 */
export async function removeMember(
  { database, viewer }: { database: PrismaClient; viewer: Viewer },
  id: string,
): Promise<User> {
  requireAdministrator(viewer);
  refuseOneself(viewer, id);
  const removed = await database.$queryRaw<unknown[]>`
    WITH removed AS (
      UPDATE user_account SET removed_at = clock_timestamp()
      WHERE id = ${id} AND organization_id = ${viewer.organizationId} AND removed_at IS NULL RETURNING id
    ), tokens AS (
      UPDATE access_token k SET revoked_at = clock_timestamp() FROM removed WHERE k.user_id = removed.id AND k.revoked_at IS NULL
    ), sessions AS (DELETE FROM session s USING removed WHERE s.user_id = removed.id
    ), accounts AS (DELETE FROM account a USING removed WHERE a.user_id = removed.id
    ), links AS (DELETE FROM sign_in_link l USING removed WHERE l.user_id = removed.id)
    SELECT id FROM removed`;
  if (removed.length === 0) throw new NotFoundError('user');
  return database.user.findUniqueOrThrow({ where: { id } });
}

/** A member who was not removed, of the viewer's organization. */
function present({ organizationId }: Viewer, id: string) {
  return { id, organizationId, removedAt: null };
}

function refuseOneself({ userId }: Viewer, id: string): void {
  if (id !== userId) return;
  throw new InvalidInputError([{ field: 'id', message: 'is your own: ask another administrator' }]);
}
