/**
 * Creates and revokes personal access tokens. Users do both in a browser. A token with `tokens:write` can create tokens
 * that have at most its scopes, expire no later and are revoked with it, and can revoke only those: a leaked token can
 * neither gain scopes nor outlive its end.
 */
import { type AccessToken, Prisma, type PrismaClient } from '../../../../prisma/generated/client/client.js';
import type { Scope } from '../../../contract.js';
import { type InputProblem, InvalidInputError, NotFoundError, UnauthenticatedError } from '../../../errors.js';
import { createId } from '../../../ids.js';
import { sqlStateOf } from '../../sql-state.js';
import { digestOf, generateSecret } from '../access-token.js';
import { actingAs } from '../audit/acting-as.js';
import type { Viewer } from '../authenticate.js';
import { isSession } from '../session.js';

export const defaultTokenDays = 90;
export const maximumTokenDays = 365;
/** Maximum number of valid tokens of a user, which the list can show completely. */
export const maximumTokens = 200;
const dayMs = 86_400_000;
const checkViolation = '23514';

export interface NewToken {
  userId: string;
  name: string;
  scopes: readonly Scope[];
  /** Null: never expires, which only the command line can request. */
  expiresAt: Date | null;
  /** The token that creates this one; null if a person does. */
  parentId?: string | null;
}

export interface IssuedToken {
  /** The secret, which is returned only now. */
  secret: string;
  token: AccessToken;
}

/** Stores a token and returns its secret, which cannot be read again. */
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
  /** Null: the default, or until the token in use expires, if that is sooner. */
  expiresInDays: number | null;
}

/**
 * Creates a token for the viewer. Throws an `InvalidInputError` if it would exceed the token in use or there are too
 * many, and an `UnauthenticatedError` if that token or the membership has just ended.
 */
export async function createOwnToken(
  database: PrismaClient,
  viewer: Viewer,
  { name, scopes, expiresInDays }: TokenRequest,
): Promise<IssuedToken> {
  const expiresAt = expiryOf(viewer, expiresInDays);
  const problems = problemsOf(viewer, { scopes, expiresInDays, expiresAt });
  if (problems.length === 0 && (await countLiving(database, viewer)) >= maximumTokens) problems.push(tooMany);
  if (problems.length > 0) throw new InvalidInputError(problems);
  const parentId = isSession(viewer) ? null : viewer.tokenId;
  const token = { userId: viewer.userId, name, scopes, expiresAt, parentId };
  return actingAs(database, viewer, (transaction) => issueToken(transaction, token)).catch((error: unknown) => {
    throw sqlStateOf(error) === checkViolation ? new UnauthenticatedError('invalid') : error;
  });
}

function expiryOf({ tokenExpiresAt }: Viewer, days: number | null): Date {
  const expiresAt = new Date(Date.now() + (days ?? defaultTokenDays) * dayMs);
  return days === null && tokenExpiresAt && tokenExpiresAt < expiresAt ? tokenExpiresAt : expiresAt;
}

const tooMany: InputProblem = {
  field: 'name',
  message: `you already have ${maximumTokens} valid access tokens; revoke one that you no longer need`,
};

/** Conditions for the viewer's tokens that are valid at a time, and for those that have ended by then. */
export function ownTokens({ userId }: Viewer, moment: Date) {
  return {
    working: { userId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: moment } }] },
    ended: { userId, OR: [{ revokedAt: { not: null } }, { expiresAt: { lte: moment } }] },
  } satisfies Record<string, Prisma.AccessTokenWhereInput>;
}

/** Concurrent requests may exceed the maximum by the number of operations that a user runs at once. */
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
  if (expiresInDays !== null && (expiresInDays < 1 || expiresInDays > maximumTokenDays)) {
    problems.push({ field: 'expiresInDays', message: `must be from 1 to ${maximumTokenDays}` });
  } else if (viewer.tokenExpiresAt && expiresAt > viewer.tokenExpiresAt) {
    problems.push({ field: 'expiresInDays', message: 'must not be later than the expiry of your own token' });
  }
  return problems;
}

/**
 * Revokes a token of the viewer and the tokens created with it. Throws a `NotFoundError` if the viewer has no such
 * token; a token can revoke only itself and those created with it. Revoking twice has no further effect.
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
    SELECT set_config('skein.actor', ${viewer.userId}, true) FROM target`;
  if (!found) throw new NotFoundError('access token');
  return database.accessToken.findUniqueOrThrow({ where: { id } });
}
