/** Authenticates a bearer token with one indexed statement (`viewer-cache.ts` says how often). */
import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { PrismaClient, Role } from '../../../prisma/generated/client/client.js';
import type { Scope } from '../../contract.js';
import { type SessionEnd, UnauthenticatedError } from '../../errors.js';
import { hasTokenForm } from './access-token.js';
import { isScope } from './scopes.js';

/** The authenticated user with their organization and the scopes of their token. */
export interface Viewer {
  userId: string;
  userNumber: number;
  name: string | null;
  email: string;
  role: Role;
  organizationId: number;
  organizationSlug: string;
  organizationName: string;
  /** Whether the organization has any budget, which is then checked with each message. */
  hasBudgets: boolean;
  scopes: ReadonlySet<Scope>;
  /** The id of the token, or of the session if the user is signed in with a browser. */
  tokenId: string;
  tokenExpiresAt: Date | null;
  /** Finds out how the session has ended; missing if the viewer has a token. */
  sessionEnd?: () => Promise<SessionEnd | null>;
}

/**
 * Takes the value of the `Authorization` header and returns the digest of its token, in base64. Throws an
 * `UnauthenticatedError`: "missing" without a bearer token, as for another scheme (RFC 6750), "invalid" for what is no token.
 */
export function readToken(authorization: string | undefined): string {
  const secret = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (!secret) throw new UnauthenticatedError('missing');
  if (!hasTokenForm(secret)) throw new UnauthenticatedError('invalid');
  // In one call: an object for the hash would cost several times as much, with each request.
  return hash('sha256', secret, 'base64');
}

interface Reads {
  database: PrismaClient;
  logger: Logger;
}

interface ViewerRow extends Omit<Viewer, 'scopes' | 'sessionEnd'> {
  scopes: string[];
  useIsStale: boolean;
}

/** Takes the digest of a token in base64. Throws an `UnauthenticatedError` if the token is unknown, expired or revoked. */
export async function authenticate(reads: Reads, digest: string): Promise<Viewer> {
  const [row] = await reads.database.$queryRaw<ViewerRow[]>`
    SELECT u.id AS "userId", u.number AS "userNumber", u.name, u.email, u.role::text AS role,
      o.id AS "organizationId", o.slug AS "organizationSlug", o.name AS "organizationName",
      EXISTS (SELECT FROM budget b WHERE b.organization_id = o.id) AS "hasBudgets",
      k.scopes, k.id AS "tokenId", k.expires_at AS "tokenExpiresAt",
      (k.last_used_at IS NULL OR k.last_used_at < clock_timestamp() - interval '10 minutes') AS "useIsStale"
    FROM access_token k JOIN user_account u ON u.id = k.user_id JOIN organization o ON o.id = u.organization_id
    WHERE k.digest = ${Buffer.from(digest, 'base64')} AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp()) AND u.removed_at IS NULL`;
  if (!row) throw new UnauthenticatedError('invalid');
  const { useIsStale, ...viewer } = row;
  if (useIsStale) recordUse(reads, row.tokenId);
  return { ...viewer, scopes: new Set(viewer.scopes.filter(isScope)) };
}

/** Nobody waits for this, and the next use records what is lost. */
function recordUse({ database, logger }: Reads, tokenId: string): void {
  const recorded = database.$executeRaw`
    UPDATE access_token SET last_used_at = clock_timestamp()
    WHERE id = ${tokenId} AND (last_used_at IS NULL OR last_used_at < clock_timestamp() - interval '10 minutes')`;
  recorded.catch((err: unknown) => logger.warn({ err }, 'the last use of a token could not be recorded'));
}
