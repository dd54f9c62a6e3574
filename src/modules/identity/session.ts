/**
 * Authenticates browser sessions. Their viewers have every scope, because they are the person and not a program. The
 * secret is in a cookie; the database stores its SHA-256 only.
 */
import { createHash } from 'node:crypto';
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { scopes } from '../../contract.js';
import { NotSignedInError, type SessionEnd, sessionEnds, UnauthenticatedError } from '../../errors.js';
import { isId } from '../../ids.js';
import type { Viewer } from './authenticate.js';

/** The digest of a session secret, which is stored and looked up. */
export function sessionDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether the viewer is signed in with a browser rather than a token. */
export function isSession({ tokenId }: Pick<Viewer, 'tokenId'>): boolean {
  return isId('ses', tokenId);
}

/** Throws a `NotSignedInError` unless the viewer is signed in with a browser. */
export function requireSession(viewer: Pick<Viewer, 'tokenId'>): void {
  if (!isSession(viewer)) throw new NotSignedInError();
}

/** The last use of a session is not recorded with every request. */
const useIsStale = Prisma.sql`s.updated_at < clock_timestamp() - interval '10 minutes'`;

interface SessionRow extends Omit<Viewer, 'scopes' | 'tokenExpiresAt' | 'sessionEnd'> {
  useIsStale: boolean;
}

/** Takes the secret of a session. Throws an `UnauthenticatedError` ("signed_out") that says why if it is not valid. */
export async function authenticateSession(database: PrismaClient, secret: string): Promise<Viewer> {
  const [row] = await database.$queryRaw<SessionRow[]>`
    SELECT u.id AS "userId", u.number AS "userNumber", u.name, u.email, u.role::text AS role,
      o.id AS "organizationId", o.slug AS "organizationSlug", o.name AS "organizationName",
      EXISTS (SELECT FROM budget b WHERE b.organization_id = o.id) AS "hasBudgets", s.id AS "tokenId",
      ${useIsStale} AS "useIsStale"
    FROM session s JOIN user_account u ON u.id = s.user_id JOIN organization o ON o.id = u.organization_id
    WHERE s.token = ${sessionDigest(secret)} AND s.expires_at > clock_timestamp() AND u.removed_at IS NULL`;
  const sessionEnd = () => endOf(database, secret);
  if (!row) throw new UnauthenticatedError('signed_out', await sessionEnd());
  const { useIsStale: isStale, ...viewer } = row;
  if (isStale) await recordUse(database, row.tokenId);
  return { ...viewer, scopes: new Set(scopes), tokenExpiresAt: null, sessionEnd };
}

/** Why the session is not valid; null if its secret is unknown or its end was too long ago. */
async function endOf(database: PrismaClient, secret: string): Promise<SessionEnd | null> {
  const token = sessionDigest(secret);
  const [row] = await database.$queryRaw<{ reason: string }[]>`
    SELECT reason FROM ended_session WHERE token = ${token}
    UNION ALL SELECT CASE WHEN u.removed_at IS NULL THEN 'expired' ELSE 'member_removed' END
      FROM session s JOIN user_account u ON u.id = s.user_id
      WHERE s.token = ${token} AND (s.expires_at <= clock_timestamp() OR u.removed_at IS NOT NULL)
    LIMIT 1`;
  return sessionEnds.find((end) => end === row?.reason) ?? null;
}

/** Lets users see which of their sessions are still in use. */
async function recordUse(database: PrismaClient, id: string): Promise<void> {
  await database.$executeRaw`
    UPDATE session s SET updated_at = clock_timestamp() WHERE s.id = ${id} AND ${useIsStale}`;
}
