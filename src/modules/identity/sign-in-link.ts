/**
 * Links that sign a user in once, and let a password be chosen: for the first administrator, for whoever is invited, and for
 * whoever has lost their password, as Skein sends no mail. A user has one at most; a new one replaces it.
 */
import { randomBytes } from 'node:crypto';
import type { PrismaClient, User } from '../../../prisma/generated/client/client.js';
import { digestOf } from './access-token.js';

export const signInLinkHours = 24;

export interface IssuedLink {
  /** Shown once, now. */
  url: string;
  expiresAt: Date;
}

/** Makes the user's link. `publicUrl` is the origin under which people reach the service. */
export async function issueSignInLink(
  database: PrismaClient,
  { userId, publicUrl }: { userId: string; publicUrl: string },
): Promise<IssuedLink> {
  const secret = randomBytes(32).toString('base64url');
  const expiresAt = new Date(Date.now() + signInLinkHours * 3_600_000);
  const link = { digest: digestOf(secret), expiresAt, createdAt: new Date() };
  await database.signInLink.upsert({ where: { userId }, create: { userId, ...link }, update: link });
  return { url: `${publicUrl}/auth/link?token=${secret}`, expiresAt };
}

export interface LinkOwner extends Pick<User, 'id' | 'email' | 'name'> {
  /** False: without a new password, the user could not sign in again. */
  hasAccount: boolean;
}

/** Whom the link is for; null for one that is unknown, was used or has expired. */
export async function findLinkOwner(database: PrismaClient, secret: string): Promise<LinkOwner | null> {
  const [owner] = await database.$queryRaw<LinkOwner[]>`
    SELECT u.id, u.email, u.name, EXISTS (SELECT 1 FROM account a WHERE a.user_id = u.id) AS "hasAccount"
    FROM sign_in_link l JOIN user_account u ON u.id = l.user_id
    WHERE l.digest = ${digestOf(secret)} AND l.expires_at > clock_timestamp() AND u.removed_at IS NULL`;
  return owner ?? null;
}

/** Uses the link up, and gives its user's id; null where there is nothing to use. Of callers at the same time, one gets it. */
export async function consumeSignInLink(database: PrismaClient, secret: string): Promise<string | null> {
  const [row] = await database.$queryRaw<{ userId: string }[]>`
    DELETE FROM sign_in_link WHERE digest = ${digestOf(secret)} AND expires_at > clock_timestamp()
    RETURNING user_id AS "userId"`;
  return row?.userId ?? null;
}
