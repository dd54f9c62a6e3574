/**
 * What may be tried how often, and what is refused before the sign-in library sees it. An account and an address are counted
 * apart: the first holds an attack from many addresses, the second one on many accounts.
 */
import type { BetterAuthOptions } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { disguised } from './any-address.js';
import { countAttempt, type Limit } from './attempts.js';
import { returnPath } from './openid-connect.js';

/** How often something may be tried: an attack on one account, and one from one address. */
export interface SignInLimits {
  ofAccount: Limit;
  ofAddress: Limit;
}

export const defaultSignInLimits: SignInLimits = {
  ofAccount: { window: 900, max: 20 },
  ofAddress: { window: 60, max: 20 },
};

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
export function beforeEndpoint(database: PrismaClient, { ofAccount }: SignInLimits) {
  return createAuthMiddleware(async ({ path, body }) => {
    // A provider's word comes from the provider, and is for this one browser.
    if (path === '/sign-in/social' && body?.idToken !== undefined) throw new APIError('BAD_REQUEST', noTokens);
    const address: unknown = body?.email;
    if (path !== '/sign-in/email' || typeof address !== 'string') return undefined;
    const email = disguised(address);
    const { allowed, retryAfter } = await countAttempt(database, `account ${email}`, ofAccount);
    if (!allowed) throw new APIError('TOO_MANY_REQUESTS', tooMany, { 'Retry-After': String(retryAfter) });
    return { context: { body: { ...body, email } } };
  });
}

const noTokens = { code: 'NO_TOKENS_HERE', message: 'Sign in on the page of the provider.' };
const tooMany = { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts to sign in. Wait a while, then try again.' };
