/**
 * How often a password may be guessed, and what is refused before the sign-in library sees it. Guesses are counted by the account
 * and the place from which they come, so nobody locks the door for others. Guesses from many places are slowed down together, but
 * for the places in which the owner has signed in before. Whether there is such an account is not looked at.
 */
import { APIError, createAuthMiddleware } from 'better-auth/api';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { networkOf } from '../rates/caller-address.js';
import type { Quota } from '../rates/quota.js';
import { addressHeader } from './address-header.js';
import { disguised } from './any-address.js';
import { type Attempts, countAttempt, forgetAttempts, isRemembered, type Limit, remember } from './attempts.js';

/** How often something may be tried. */
export interface SignInLimits {
  /** On one account from one place. */
  ofAccount: Limit;
  /** On one account from all places together in which its owner never signed in. */
  ofStrangers: Limit;
  /** Beyond that, those places have so many tries: they are slowed down, and not locked out. */
  beyond: Limit;
}

export const defaultSignInLimits: SignInLimits = {
  ofAccount: { window: 900, max: 20 },
  ofStrangers: { window: 900, max: 100 },
  beyond: { window: 30, max: 1 },
};

/** How long a place is known in which somebody signed in. */
const knownS = 90 * 86_400;

/** What the library must not see as it was sent: its addresses have another form, and a provider's word comes from the provider. */
export const beforeEndpoint = createAuthMiddleware(async ({ path, body }) => {
  // It is for this one browser.
  if (path === '/sign-in/social' && body?.idToken !== undefined) throw new APIError('BAD_REQUEST', noTokens);
  const email: unknown = body?.email;
  if (path !== '/sign-in/email' || typeof email !== 'string') return undefined;
  return { context: { body: { ...body, email: disguised(email) } } };
});

/** Whoever has signed in is known in that place from then on, and the guesses before are forgotten. */
export function afterEndpoint(database: PrismaClient) {
  return createAuthMiddleware(async ({ context: { newSession }, headers }) => {
    if (!newSession) return;
    const keys = keysOf(newSession.user.email, headers?.get(addressHeader) ?? '');
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

function keysOf(address: string, caller: string): Keys {
  const [email, network] = [disguised(address), networkOf(caller)];
  return {
    place: `place ${email} ${network}`,
    known: `known ${email} ${network}`,
    account: `account ${email}`,
    beyond: `beyond ${email}`,
  };
}

/**
 * Counts a guess of the password that goes with an address, made from where `caller` is. One place can be locked out of an
 * account, and never its owner in a place that is known.
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
  // What is left says how often this place may go on guessing, and nothing of other places.
  return beyond.isAllowed ? here : beyond;
}

function quotaOf({ count, seconds }: Attempts, { window, max }: Limit): Quota {
  const policy = { name: 'account-sign-ins', limit: max, seconds: window } as const;
  return { policy, isAllowed: count <= max, remaining: Math.max(0, max - count), resetMs: seconds * 1000 };
}

const noTokens = { code: 'NO_TOKENS_HERE', message: 'Sign in on the page of your provider.' };
