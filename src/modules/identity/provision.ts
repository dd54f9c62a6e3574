/** Creates organizations and users for the operator: on the command line and at the first start. */
import type { Organization, PrismaClient, Role, User } from '../../../prisma/generated/client/client.js';
import { createId } from '../../ids.js';
import { sqlStateOf } from '../sql-state.js';
import { defaultScopes } from './scopes.js';
import { type IssuedToken, issueToken } from './tokens/manage-tokens.js';

export interface NewUser {
  organizationSlug: string;
  email: string;
  name: string | null;
  role: Role;
}

/** An error that the operator can correct. */
export class ProvisionError extends Error {}

const lockNotAvailable = '55P03';
/** Each attempt waits as long as a statement may wait for a lock. */
const mostLooks = 10;

const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const emailForm = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** Normalizes an e-mail address; null if it is invalid. */
export function addressOf(text: string): string | null {
  const address = text.trim().toLowerCase();
  return emailForm.test(address) ? address : null;
}

/** Throws a `ProvisionError` if the slug is in use or invalid. */
export async function createOrganization(
  database: PrismaClient,
  { slug, name }: { slug: string; name: string },
): Promise<Organization> {
  if (!slugForm.test(slug)) {
    throw new ProvisionError(
      `"${slug}" is not a valid slug. Use 1 to 63 lower-case letters, digits and inner hyphens.`,
    );
  }
  if (await database.organization.findUnique({ where: { slug } })) {
    throw new ProvisionError(`The organization "${slug}" already exists.`);
  }
  return database.organization.create({ data: { slug, name } });
}

/** Throws a `ProvisionError` for an unknown organization, or an address that is in use or invalid. */
export async function createUser(database: PrismaClient, user: NewUser): Promise<User> {
  const email = addressOf(user.email);
  if (email === null) throw new ProvisionError(`"${user.email}" is not a valid e-mail address.`);
  const organization = await findOrganization(database, user.organizationSlug);
  if (await database.user.findUnique({ where: { email } }))
    throw new ProvisionError(`The user ${email} already exists.`);
  const { name, role } = user;
  return database.user.create({ data: { id: createId('usr'), organizationId: organization.id, email, name, role } });
}

/** Throws a `ProvisionError` if no user has the address. */
export async function findUser(database: PrismaClient, address: string): Promise<User> {
  const user = await findUserOrRemoved(database, address);
  if (user.removedAt) throw new ProvisionError(`The user ${address} does not exist.`);
  return user;
}

/** The same, where a user who was removed counts too. */
export async function findUserOrRemoved(database: PrismaClient, address: string): Promise<User> {
  const user = await database.user.findUnique({ where: { email: address.trim().toLowerCase() } });
  if (!user) throw new ProvisionError(`The user ${address} does not exist.`);
  return user;
}

/** Throws a `ProvisionError` if without this user the organization had no administrator. */
export async function requireOtherAdministrator(database: PrismaClient, user: User): Promise<void> {
  const { id, email, organizationId, role, removedAt } = user;
  if (role !== 'admin' || removedAt) return;
  const { slug, users } = await database.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { slug: true, users: { where: { role, removedAt: null, id: { not: id } }, select: { id: true }, take: 1 } },
  });
  if (users.length > 0) return;
  throw new ProvisionError(
    `${email} is the only administrator of ${slug}. Create another one with "user create --role admin", or delete the organization with "org delete".`,
  );
}

/** Throws a `ProvisionError` if no organization has the slug. */
export async function findOrganization(database: PrismaClient, slug: string): Promise<Organization> {
  const organization = await database.organization.findUnique({ where: { slug } });
  if (!organization) throw new ProvisionError(`The organization "${slug}" does not exist.`);
  return organization;
}

export interface FirstAdministrator {
  organization: Organization;
  user: User;
  issued: IssuedToken;
}

/**
 * On an empty database, creates an organization, its administrator and a token with the default scopes; null on any
 * other. Several processes may start at once: the table is locked, and one of them finds it empty. The others retry if
 * the lock times out, so that none fails to start because of it.
 */
export async function provisionFirstAdministrator(
  database: PrismaClient,
  expiresAt: Date,
): Promise<FirstAdministrator | null> {
  for (let looks = 1; ; looks += 1) {
    if (await database.organization.findFirst({ select: { id: true } })) return null;
    try {
      return await database.$transaction((transaction) => makeFirst(transaction as PrismaClient, expiresAt), {
        timeout: 30_000,
      });
    } catch (error) {
      if (looks === mostLooks || sqlStateOf(error) !== lockNotAvailable) throw error;
    }
  }
}

async function makeFirst(transaction: PrismaClient, expiresAt: Date): Promise<FirstAdministrator | null> {
  await transaction.$executeRaw`LOCK TABLE organization IN EXCLUSIVE MODE`;
  if (await transaction.organization.findFirst({ select: { id: true } })) return null;
  const organization = await createOrganization(transaction, { slug: 'home', name: 'Home' });
  const user = await createUser(transaction, {
    organizationSlug: organization.slug,
    email: 'admin@localhost',
    name: 'Administrator',
    role: 'admin',
  });
  const issued = await issueToken(transaction, {
    userId: user.id,
    name: 'First token',
    scopes: defaultScopes,
    expiresAt,
  });
  return { organization, user, issued };
}

/** The first administrator, as long as nobody has ever signed in or used a token; null otherwise. */
export async function findWaitingAdministrator(database: PrismaClient): Promise<Pick<User, 'email'> | null> {
  const [waiting] = await database.$queryRaw<{ email: string }[]>`
    SELECT email FROM user_account
    WHERE role = 'admin' AND removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM account)
      AND NOT EXISTS (SELECT 1 FROM session) AND NOT EXISTS (SELECT 1 FROM access_token WHERE last_used_at IS NOT NULL)
    ORDER BY number LIMIT 1`;
  return waiting ?? null;
}
