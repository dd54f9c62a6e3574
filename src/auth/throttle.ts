/**
 * Limits password guesses, and rejects requests before the sign-in library sees them. Guesses are counted per account
 * and place, so nobody can lock out others. Guesses from many places are slowed down together, except for places where
 * the owner has signed in before. Unknown accounts are treated the same.
 */
import { APIError, createAuthMiddleware } from 'better-auth/api';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { networkOf } from '../platform/rates/caller-address.js';
import type { Quota } from '../platform/rates/quota.js';
import { addressHeader } from './address-header.js';
import { disguised, revealed } from './any-address.js';
import { type Attempts, countAttempt, forgetAttempts, isRemembered, type Limit, remember } from './attempts.js';

/** Limits on attempts. */
export interface SignInLimits {
  /** Attempts on one account from one place. */
  ofAccount: Limit;
  /** Attempts on one account from all places together where its owner has never signed in. */
  ofStrangers: Limit;
  /** The rate beyond `ofStrangers`: those places are slowed down, not locked out. */
  beyond: Limit;
}

export const defaultSignInLimits: SignInLimits = {
  ofAccount: { window: 900, max: 20 },
  ofStrangers: { window: 900, max: 100 },
  beyond: { window: 30, max: 1 },
};

/** How long a place is remembered after its owner signed in there. */
const knownS = 90 * 86_400;

/** Prepares requests for the library: encodes addresses, and rejects ID tokens that do not come from the provider. */
export const beforeEndpoint = createAuthMiddleware(async ({ path, body }) => {
  // ID tokens are accepted from the provider only, not from the browser.
  if (path === '/sign-in/social' && body?.idToken !== undefined) {
    throw new APIError('BAD_REQUEST', { code: 'NO_TOKENS_HERE', message: 'Sign in on the page of your provider.' });
  }
  const email: unknown = body?.email;
  if (path !== '/sign-in/email' || typeof email !== 'string') return undefined;
  return { context: { body: { ...body, email: disguised(email) } } };
});

/** After a successful sign-in, remembers the place and forgets earlier guesses from it. */
export function afterEndpoint(database: PrismaClient) {
  return createAuthMiddleware(async ({ context: { newSession }, headers }) => {
    if (!newSession) return;
    const keys = keysOf(revealed(newSession.user.email), headers?.get(addressHeader) ?? '');
    await remember(database, keys.known, knownS);
    await forgetAttempts(database, keys.place);
  });
}

function keysOf(address: string, caller: string) {
  const [email, network] = [disguised(address), networkOf(caller)];
  return {
    place: `place ${email} ${network}`,
    known: `known ${email} ${network}`,
    account: `account ${email}`,
    beyond: `beyond ${email}`,
  };
}

/**
 * Counts a password guess for an address, made from `caller`. A place can be locked out of an account, but never the
 * owner in a known place.
 */
export async function countGuess(
  database: PrismaClient,
  limits: SignInLimits,
  { email, caller }: { email: string; caller: string },
): Promise<Quota> {
  const keys = keysOf(email, caller);
  const here = quotaOf(await countAttempt(database, keys.place, limits.ofAccount), limits.ofAccount);
  if (!here.isAllowed || (await isRemembered(database, keys.known))) return here;
  const strangers = await countAttempt(database, keys.account, limits.ofStrangers);
  if (strangers.count <= limits.ofStrangers.max) return here;
  const beyond = quotaOf(await countAttempt(database, keys.beyond, limits.beyond), limits.beyond);
  // Reports the remaining guesses of this place, and nothing about other places.
  return beyond.isAllowed ? here : beyond;
}

function quotaOf({ count, seconds }: Attempts, { window, max }: Limit): Quota {
  const policy = { name: 'account-sign-ins', limit: max, seconds: window } as const;
  return { policy, isAllowed: count <= max, remaining: Math.max(0, max - count), resetMs: seconds * 1000 };
}
