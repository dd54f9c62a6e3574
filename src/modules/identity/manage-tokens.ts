/**
 * Making and revoking personal access tokens. A token can only make tokens that can do no more than itself and live no
 * longer, so a leaked one cannot be turned into a stronger one.
 */
import type { AccessToken, PrismaClient } from '../../../prisma/generated/client/client.js';
import { type InputProblem, InvalidInputError, NotFoundError } from '../../errors.js';
import { createId } from '../../ids.js';
import { digestOf, generateSecret } from './access-token.js';
import type { Viewer } from './authenticate.js';
import type { Scope } from './scopes.js';

export const defaultTokenDays = 90;
export const maximumTokenDays = 365;
const dayMs = 86_400_000;

export interface NewToken {
  userId: string;
  name: string;
  scopes: readonly Scope[];
  /** Null: it never expires. Only the operator's command line may ask for that. */
  expiresAt: Date | null;
}

export interface IssuedToken {
  /** Shown once, now. */
  secret: string;
  token: AccessToken;
}

/** Stores a token and gives its secret, which nobody can read again. */
export async function issueToken(
  database: PrismaClient,
  { userId, name, scopes, expiresAt }: NewToken,
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
    },
  });
  return { secret, token };
}

export interface TokenRequest {
  name: string;
  scopes: readonly Scope[];
  expiresInDays: number;
}

/** A token for the viewer's own use. Throws an `InvalidInputError` where it would be able to do more than the one in use. */
export async function createOwnToken(
  database: PrismaClient,
  viewer: Viewer,
  request: TokenRequest,
): Promise<IssuedToken> {
  const expiresAt = new Date(Date.now() + request.expiresInDays * dayMs);
  const problems: InputProblem[] = [];
  const missing = request.scopes.filter((scope) => !viewer.scopes.has(scope));
  if (request.scopes.length === 0) problems.push({ field: 'scopes', message: 'must name at least one scope' });
  if (missing.length > 0) problems.push({ field: 'scopes', message: `your own token lacks ${missing.join(', ')}` });
  if (request.expiresInDays < 1 || request.expiresInDays > maximumTokenDays) {
    problems.push({ field: 'expiresInDays', message: `must be from 1 to ${maximumTokenDays}` });
  } else if (viewer.tokenExpiresAt && expiresAt > viewer.tokenExpiresAt) {
    problems.push({ field: 'expiresInDays', message: 'must not outlive your own token' });
  }
  if (problems.length > 0) throw new InvalidInputError(problems);
  return issueToken(database, { userId: viewer.userId, name: request.name, scopes: request.scopes, expiresAt });
}

/** Revokes a token of the viewer. Throws a `NotFoundError` where the viewer has no such token; twice is as good as once. */
export async function revokeOwnToken(database: PrismaClient, viewer: Viewer, id: string): Promise<AccessToken> {
  await database.accessToken.updateMany({
    where: { id, userId: viewer.userId, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  const token = await database.accessToken.findFirst({ where: { id, userId: viewer.userId } });
  if (!token) throw new NotFoundError('access token');
  return token;
}
