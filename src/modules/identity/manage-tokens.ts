/**
 * Making and revoking personal access tokens. A person makes and revokes them in a browser. A token with `tokens:write` makes
 * tokens that can do no more than itself, live no longer and end with it, and revokes those alone: so a leaked token can
 * neither be turned into a stronger one nor outlive its end.
 */
import { type AccessToken, Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { type InputProblem, InvalidInputError, NotFoundError, UnauthenticatedError } from '../../errors.js';
import { createId } from '../../ids.js';
import { sqlStateOf } from '../sql-state.js';
import { digestOf, generateSecret } from './access-token.js';
import type { Viewer } from './authenticate.js';
import type { Scope } from './scopes.js';
import { isSession } from './session.js';

export const defaultTokenDays = 90;
export const maximumTokenDays = 365;
/** Tokens of one user that work: no more than their list shows. */
export const maximumTokens = 200;
const dayMs = 86_400_000;
const checkViolation = '23514';

export interface NewToken {
  userId: string;
  name: string;
  scopes: readonly Scope[];
  /** Null: it never expires. Only the operator's command line may ask for that. */
  expiresAt: Date | null;
  /** The token that makes this one; null where a person does. */
  parentId?: string | null;
}

export interface IssuedToken {
  /** Shown once, now. */
  secret: string;
  token: AccessToken;
}

/** Stores a token and gives its secret, which nobody can read again. */
export async function issueToken(
  database: PrismaClient,
  { userId, name, scopes, expiresAt, parentId = null }: NewToken,
): Promise<IssuedToken> {
  const secret = generateSecret();
  const token = await database.accessToken.create({
    data: {
      id: createId('tok'),
      userId,
      name,
      digest: digestOf(secret),
      lastFour: secret.slice(-4),
      scopes: [...new Set(scopes)],
      expiresAt,
      parentId,
    },
  });
  return { secret, token };
}

export interface TokenRequest {
  name: string;
  scopes: readonly Scope[];
  expiresInDays: number;
}

/**
 * A token for the viewer's own use. Throws an `InvalidInputError` where it would be able to do more than the one in use, or there
 * are too many, and an
 * `UnauthenticatedError` where that one, or its owner's membership, has ended in this moment.
 */
export async function createOwnToken(
  database: PrismaClient,
  viewer: Viewer,
  { name, scopes, expiresInDays }: TokenRequest,
): Promise<IssuedToken> {
  const expiresAt = new Date(Date.now() + expiresInDays * dayMs);
  const problems = problemsOf(viewer, { scopes, expiresInDays, expiresAt });
  if (problems.length === 0 && (await countLiving(database, viewer)) >= maximumTokens) problems.push(tooMany);
  if (problems.length > 0) throw new InvalidInputError(problems);
  const parentId = isSession(viewer) ? null : viewer.tokenId;
  return issueToken(database, { userId: viewer.userId, name, scopes, expiresAt, parentId }).catch((error: unknown) => {
    throw sqlStateOf(error) === checkViolation ? new UnauthenticatedError('invalid') : error;
  });
}

const tooMany: InputProblem = {
  field: 'name',
  message: `you already have ${maximumTokens} valid access tokens; revoke one that you no longer need`,
};

/** Conditions for the viewer's tokens that work at a moment, and for those that have ended by then. */
export function ownTokens({ userId }: Viewer, moment: Date) {
  return {
    working: { userId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: moment } }] },
    ended: { userId, OR: [{ revokedAt: { not: null } }, { expiresAt: { lte: moment } }] },
  } satisfies Record<string, Prisma.AccessTokenWhereInput>;
}

/** Those who ask at the same moment may pass it by the few operations that one user runs at once. */
function countLiving(database: PrismaClient, viewer: Viewer): Promise<number> {
  return database.accessToken.count({ where: ownTokens(viewer, new Date()).working });
}

function problemsOf(
  viewer: Viewer,
  { scopes, expiresInDays, expiresAt }: Omit<TokenRequest, 'name'> & { expiresAt: Date },
): InputProblem[] {
  const problems: InputProblem[] = [];
  const missing = scopes.filter((scope) => !viewer.scopes.has(scope));
  if (scopes.length === 0) problems.push({ field: 'scopes', message: 'must name at least one scope' });
  if (missing.length > 0)
    problems.push({ field: 'scopes', message: `your own token does not have ${missing.join(', ')}` });
  if (expiresInDays < 1 || expiresInDays > maximumTokenDays) {
    problems.push({ field: 'expiresInDays', message: `must be from 1 to ${maximumTokenDays}` });
  } else if (viewer.tokenExpiresAt && expiresAt > viewer.tokenExpiresAt) {
    problems.push({ field: 'expiresInDays', message: 'must not be later than the expiry of your own token' });
  }
  return problems;
}

/**
 * Revokes a token of the viewer, and with it what it made. Throws a `NotFoundError` where the viewer has no such token; for a
 * token, that is every one but itself and those that it made. Twice is as good as once.
 */
export async function revokeOwnToken(database: PrismaClient, viewer: Viewer, id: string): Promise<AccessToken> {
  const own = isSession(viewer)
    ? Prisma.sql`SELECT ${id}::text AS id`
    : Prisma.sql`
        SELECT ${viewer.tokenId}::text AS id
        UNION SELECT k.id FROM access_token k JOIN own ON k.parent_id = own.id`;
  const [found] = await database.$queryRaw<unknown[]>`
    WITH RECURSIVE own AS (${own}), target AS (
      SELECT k.id, k.revoked_at FROM access_token k JOIN own USING (id) WHERE k.id = ${id} AND k.user_id = ${viewer.userId}
    ), revoked AS (
      UPDATE access_token k SET revoked_at = clock_timestamp() FROM target WHERE k.id = target.id AND k.revoked_at IS NULL
    )
    SELECT FROM target`;
  if (!found) throw new NotFoundError('access token');
  return database.accessToken.findUniqueOrThrow({ where: { id } });
}
