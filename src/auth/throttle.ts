/**
 * What may be tried how often, and what is refused before the sign-in library sees it. Guesses are counted by the account and
 * the place from which they come, so nobody locks the door for others. Guesses from many places are slowed down together, but
 * for the places in which the owner has signed in before; and one place is limited over all accounts.
 */
import type { BetterAuthOptions } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { addressHeader } from './address-header.js';
import { disguised } from './any-address.js';
import { type Attempt, countAttempt, forgetAttempts, isRemembered, type Limit, remember } from './attempts.js';
import { networkOf } from './caller-address.js';
import { returnPath } from './openid-connect.js';

/** How often something may be tried. */
export interface SignInLimits {
  /** On one account from one place. */
  ofAccount: Limit;
  /** On one account from all places together in which its owner never signed in. */
  ofStrangers: Limit;
  /** Beyond that, those places have so many tries: they are slowed down, and not locked out. */
  beyond: Limit;
  /** From one place, on whatever accounts. */
  ofAddress: Limit;
}

export const defaultSignInLimits: SignInLimits = {
  ofAccount: { window: 900, max: 20 },
  ofStrangers: { window: 900, max: 100 },
  beyond: { window: 30, max: 1 },
  ofAddress: { window: 60, max: 20 },
};

/** How long a place is known in which somebody signed in. */
const knownS = 90 * 86_400;

/** Counts by the address of the caller. */
export function addressLimits(database: PrismaClient, { ofAddress }: SignInLimits) {
  return {
    enabled: true,
    window: ofAddress.window,
    max: 10 * ofAddress.max,
    customRules: {
      '/get-session': false,
      '/sign-in/*': ofAddress,
      '/change-password': ofAddress,
      [returnPath]: ofAddress,
    },
    customStorage: { consume: (key, limit) => countAttempt(database, `address ${key}`, limit) },
  } satisfies BetterAuthOptions['rateLimit'];
}

/** Counts by the account, and puts its address into the form that the library takes. */
export function beforeEndpoint(database: PrismaClient, limits: SignInLimits) {
  return createAuthMiddleware(async ({ path, body, headers }) => {
    // A provider's word comes from the provider, and is for this one browser.
    if (path === '/sign-in/social' && body?.idToken !== undefined) throw new APIError('BAD_REQUEST', noTokens);
    const address: unknown = body?.email;
    if (path !== '/sign-in/email' || typeof address !== 'string') return undefined;
    const email = disguised(address);
    const { allowed, retryAfter } = await countGuess(database, limits, keysOf(email, headers));
    if (!allowed) throw new APIError('TOO_MANY_REQUESTS', tooMany, { 'Retry-After': String(retryAfter) });
    return { context: { body: { ...body, email } } };
  });
}

/** Whoever has signed in is known in that place from then on, and the guesses before are forgotten. */
export function afterEndpoint(database: PrismaClient) {
  return createAuthMiddleware(async ({ context: { newSession }, headers }) => {
    if (!newSession) return;
    const keys = keysOf(disguised(newSession.user.email), headers);
    await remember(database, keys.known, knownS);
    await forgetAttempts(database, keys.place);
  });
}

interface Keys {
  place: string;
  known: string;
  account: string;
  beyond: string;
}

function keysOf(email: string, headers: Headers | undefined): Keys {
  const network = networkOf(headers?.get(addressHeader) ?? '');
  return {
    place: `place ${email} ${network}`,
    known: `known ${email} ${network}`,
    account: `account ${email}`,
    beyond: `beyond ${email}`,
  };
}

/** One place can be locked out of an account, and never its owner in a place that is known. */
async function countGuess(database: PrismaClient, limits: SignInLimits, keys: Keys): Promise<Attempt> {
  const here = await countAttempt(database, keys.place, limits.ofAccount);
  if (!here.allowed || (await isRemembered(database, keys.known))) return here;
  const strangers = await countAttempt(database, keys.account, limits.ofStrangers);
  return strangers.allowed ? strangers : countAttempt(database, keys.beyond, limits.beyond);
}

const noTokens = { code: 'NO_TOKENS_HERE', message: 'Sign in on the page of the provider.' };
const tooMany = { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts to sign in. Wait a while, then try again.' };
