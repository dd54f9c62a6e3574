/**
 * One-time sign-in links, with which users also choose a password: for the first administrator, invited members, and
 * users who lost their password, because Skein sends no e-mail. A user has at most one link; a new one replaces it.
 */
import { randomBytes } from 'node:crypto';
import type { PrismaClient, User } from '../../../prisma/generated/client/client.js';
import { digestOf } from './access-token.js';

export const signInLinkHours = 24;

export interface IssuedLink {
  /** The URL, which is returned only now. */
  url: string;
  expiresAt: Date;
}

/** Creates the user's link. `publicUrl` is the origin under which users reach the service. */
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
  /** Whether the user has another way to sign in, and so needs no new password. */
  hasAccount: boolean;
}

/** The user of a link; null if it is unknown, used or expired. */
export async function findLinkOwner(database: PrismaClient, secret: string): Promise<LinkOwner | null> {
  const [owner] = await database.$queryRaw<LinkOwner[]>`
    SELECT u.id, u.email, u.name, EXISTS (SELECT 1 FROM account a WHERE a.user_id = u.id) AS "hasAccount"
    FROM sign_in_link l JOIN user_account u ON u.id = l.user_id
    WHERE l.digest = ${digestOf(secret)} AND l.expires_at > clock_timestamp() AND u.removed_at IS NULL`;
  return owner ?? null;
}

/** Uses the link and returns its user's id; null if it is not valid. Of concurrent calls, one succeeds. */
export async function consumeSignInLink(database: PrismaClient, secret: string): Promise<string | null> {
  const [row] = await database.$queryRaw<{ userId: string }[]>`
    DELETE FROM sign_in_link WHERE digest = ${digestOf(secret)} AND expires_at > clock_timestamp()
    RETURNING user_id AS "userId"`;
  return row?.userId ?? null;
}
