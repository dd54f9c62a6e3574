/**
 * Who belongs to an organization, and who lets others in: an administrator, at a browser. Nobody signs up, and no token can be
 * turned into an account.
 */
import type { PrismaClient, Role, User } from '../../../prisma/generated/client/client.js';
import { InvalidInputError, NotAdministratorError, NotFoundError } from '../../errors.js';
import { createId } from '../../ids.js';
import { sqlStateOf } from '../sql-state.js';
import type { Viewer } from './authenticate.js';
import { addressOf } from './provision.js';
import { isSession } from './session.js';
import { type IssuedLink, issueSignInLink } from './sign-in-link.js';

const checkViolation = '23514';

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
  if (email === null) throw new InvalidInputError([{ field: 'email', message: 'is not a valid e-mail address' }]);
  const data = { id: createId('usr'), organizationId: viewer.organizationId, email, name, role };
  // Each is one statement, so that of two who invite the same person one is told so.
  const [made] = await database.user.createManyAndReturn({ data: [data], skipDuplicates: true });
  const where = { email, organizationId: viewer.organizationId, removedAt: { not: null } };
  const [member = made] = made
    ? []
    : await database.user.updateManyAndReturn({ where, data: { name, role, removedAt: null } });
  if (!member) {
    throw new InvalidInputError([
      { field: 'email', message: 'already has an account; create a new sign-in link instead' },
    ]);
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
  const link = await issueSignInLink(database, { userId: member.id, publicUrl }).catch((error: unknown) => {
    // Somebody else has removed the member in this moment.
    throw sqlStateOf(error) === checkViolation ? new NotFoundError('user') : error;
  });
  return { member, link };
}

/** A member who was not removed, of the viewer's organization. */
function present({ organizationId }: Viewer, id: string) {
  return { id, organizationId, removedAt: null };
}
