/**
 * Whoever is signed in with a browser, as a viewer: with every scope, because it is the person and no program, and with no
 * access token. The secret of a session is in a cookie; the database holds its SHA-256 alone.
 */
import { createHash } from 'node:crypto';
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { UnauthenticatedError } from '../../errors.js';
import { isId } from '../../ids.js';
import type { Viewer } from './authenticate.js';
import { scopes } from './scopes.js';

/** What is stored of the secret of a session, and looked up. */
export function sessionDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** True where the viewer is signed in with a browser; false where a program uses a token of theirs. */
export function isSession({ tokenId }: Pick<Viewer, 'tokenId'>): boolean {
  return isId('ses', tokenId);
}

/** Of a session `s`: its last use is not recorded with each request. */
const useIsStale = Prisma.sql`s.updated_at < clock_timestamp() - interval '10 minutes'`;

interface SessionRow extends Omit<Viewer, 'scopes' | 'tokenExpiresAt'> {
  useIsStale: boolean;
}

/** Takes the secret of a session. Throws an `UnauthenticatedError` ("signed_out") where it names no living one. */
export async function authenticateSession(database: PrismaClient, secret: string): Promise<Viewer> {
  const [row] = await database.$queryRaw<SessionRow[]>`
    SELECT u.id AS "userId", u.number AS "userNumber", u.name, u.email, u.role::text AS role,
      o.id AS "organizationId", o.slug AS "organizationSlug", s.id AS "tokenId",
      ${useIsStale} AS "useIsStale"
    FROM session s JOIN user_account u ON u.id = s.user_id JOIN organization o ON o.id = u.organization_id
    WHERE s.token = ${sessionDigest(secret)} AND s.expires_at > clock_timestamp() AND u.removed_at IS NULL`;
  if (!row) throw new UnauthenticatedError('signed_out');
  const { useIsStale: isStale, ...viewer } = row;
  if (isStale) await recordUse(database, row.tokenId);
  return { ...viewer, scopes: new Set(scopes), tokenExpiresAt: null };
}

/** So that people can see where they are signed in and no longer there. */
async function recordUse(database: PrismaClient, id: string): Promise<void> {
  await database.$executeRaw`
    UPDATE session s SET updated_at = clock_timestamp() WHERE s.id = ${id} AND ${useIsStale}`;
}
