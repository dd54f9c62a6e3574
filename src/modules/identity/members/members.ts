/**
 * Members of an organization. Only administrators invite them, at a browser: nobody can sign up, and no token can
 * create an account.
 */
import type { PrismaClient, Role, User } from '../../../../prisma/generated/client/client.js';
import { InvalidInputError, NotAdministratorError, NotFoundError } from '../../../errors.js';
import { createId } from '../../../ids.js';
import { sqlStateOf } from '../../sql-state.js';
import { actingAs } from '../audit/acting-as.js';
import type { Viewer } from '../authenticate.js';
import { addressOf } from '../provision.js';
import { isSession } from '../session.js';
import { type IssuedLink, issueSignInLink } from '../sign-in-link.js';

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

/** Throws a `NotAdministratorError` unless the viewer is an administrator. */
export function requireAdministrator(viewer: Viewer): void {
  if (!isAdministrator(viewer)) throw new NotAdministratorError();
}

/** Whether the viewer is an administrator at a browser. */
export function isAdministrator(viewer: Viewer): boolean {
  return viewer.role === 'admin' && isSession(viewer);
}

/**
 * Invites a user, or a removed member again, and returns their sign-in link. Throws an `InvalidInputError` for an
 * address that is invalid or in use, also in another organization.
 */
export async function inviteMember(
  { database, viewer, publicUrl }: { database: PrismaClient; viewer: Viewer; publicUrl: string },
  { email: given, name, role }: Invitation,
): Promise<InvitedMember> {
  requireAdministrator(viewer);
  const email = addressOf(given);
  if (email === null) throw new InvalidInputError([{ field: 'email', message: 'is not a valid e-mail address' }]);
  const data = { id: createId('usr'), organizationId: viewer.organizationId, email, name, role };
  return actingAs(database, viewer, async (transaction) => {
    const member = await addMember(transaction, data);
    return { member, link: await issueSignInLink(transaction, { userId: member.id, publicUrl }) };
  });
}

type NewMember = Pick<User, 'id' | 'organizationId' | 'email' | 'name' | 'role'>;

/** By single statements, so that of two concurrent invitations of a person one fails. */
async function addMember(database: PrismaClient, data: NewMember): Promise<User> {
  const { organizationId, email, name, role } = data;
  const [made] = await database.user.createManyAndReturn({ data: [data], skipDuplicates: true });
  const where = { email, organizationId, removedAt: { not: null } };
  const [member = made] = made
    ? []
    : await database.user.updateManyAndReturn({ where, data: { name, role, removedAt: null } });
  if (!member) {
    throw new InvalidInputError([
      { field: 'email', message: 'already has an account; create a new sign-in link instead' },
    ]);
  }
  return member;
}

/** Creates a new sign-in link for a member. Throws a `NotFoundError` if there is no such member. */
export async function renewSignInLink(
  { database, viewer, publicUrl }: { database: PrismaClient; viewer: Viewer; publicUrl: string },
  id: string,
): Promise<InvitedMember> {
  requireAdministrator(viewer);
  const member = await database.user.findFirst({ where: present(viewer, id) });
  if (!member) throw new NotFoundError('user');
  const issue = (transaction: PrismaClient) => issueSignInLink(transaction, { userId: member.id, publicUrl });
  const link = await actingAs(database, viewer, issue).catch((error: unknown) => {
    // The member was removed at this moment.
    throw sqlStateOf(error) === checkViolation ? new NotFoundError('user') : error;
  });
  return { member, link };
}

/** Adds to each row, by one statement for all, the user that it is of, if they are still a member. */
export async function withMembers<Row extends { userId: string | null }>(
  database: PrismaClient,
  organizationId: number,
  rows: readonly Row[],
): Promise<(Row & { member: User | null })[]> {
  const ids = rows.flatMap(({ userId }) => userId ?? []);
  const where = { id: { in: ids }, organizationId, removedAt: null };
  const members = ids.length === 0 ? [] : await database.user.findMany({ where });
  const byId = new Map(members.map((member) => [member.id, member]));
  return rows.map((row) => ({ ...row, member: byId.get(row.userId ?? '') ?? null }));
}

/** A condition for present members of the viewer's organization. */
function present({ organizationId }: Viewer, id: string) {
  return { id, organizationId, removedAt: null };
}
