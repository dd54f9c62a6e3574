/**
 * The sign-in library, set up for Skein: its users are ours, nobody can sign up, sessions are rows that can be ended, and
 * what a provider gives beside an identity is thrown away.
 */

import type { BetterAuthOptions } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { createId } from '../ids.js';
import { disguised, withAnyAddress } from './any-address.js';
import { countAttempt, type Limit } from './attempts.js';
import { withHashedTokens } from './hashed-tokens.js';
import { signInLinkPlugin } from './link-plugin.js';
import { type OpenIdConnect, openIdConnectPlugin, openIdProvider } from './openid-connect.js';
import { cookiePrefix } from './session-cookie.js';

export interface AuthOptions {
  database: PrismaClient;
  /** Signs cookies. */
  secret: string;
  publicUrl: string;
  logger: Logger;
  limits: SignInLimits;
}

/** How often something may be tried: an attack on one account, and one from one address. */
export interface SignInLimits {
  ofAccount: Limit;
  ofAddress: Limit;
}

export const defaultSignInLimits: SignInLimits = {
  ofAccount: { window: 900, max: 20 },
  ofAddress: { window: 60, max: 20 },
};

/** The header in which the address of the caller comes; whatever a caller sends under this name is overwritten. */
export const addressHeader = 'x-skein-address';
export const minPasswordLength = 12;
export const maxPasswordLength = 128;
const dayS = 86_400;

export type Auth = ReturnType<typeof createAuth>;

/** With a provider, `$context` rejects while that cannot be reached. */
export function createAuth(options: AuthOptions, provider: OpenIdConnect | null = null) {
  const { database, secret, publicUrl } = options;
  const baseURL = `${publicUrl}/auth`;
  return betterAuth({
    appName: 'Skein',
    baseURL,
    basePath: new URL(baseURL).pathname,
    secret,
    database: (library: BetterAuthOptions) =>
      withHashedTokens(withAnyAddress(prismaAdapter(database, { provider: 'postgresql' })(library))),
    trustedOrigins: (request) => originsOf(publicUrl, request),
    telemetry: { enabled: false },
    onAPIError: { throw: true, errorURL: `${publicUrl}/sign-in` },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength, maxPasswordLength },
    session: { expiresIn: 30 * dayS, updateAge: dayS },
    account: { storeStateStrategy: 'cookie', updateAccountOnSignIn: false, accountLinking },
    databaseHooks: hooksOf(database),
    ...inCommon(options),
    plugins: [signInLinkPlugin(database), ...(provider ? [openIdConnectPlugin(provider)] : [])],
  });
}

const accountLinking = { enabled: true, trustedProviders: [], allowDifferentEmails: false };

/** Nothing that acts for somebody at their provider is kept; and whoever was removed comes in by no way. */
function hooksOf(database: PrismaClient) {
  return {
    account: {
      create: {
        before: (account) =>
          Promise.resolve({ data: { ...account, accessToken: null, refreshToken: null, idToken: null } }),
      },
    },
    session: {
      create: {
        before: async ({ userId }) => {
          const user = await database.user.findUnique({ where: { id: userId }, select: { removedAt: true } });
          if (user?.removedAt) throw new APIError('FORBIDDEN', removed);
        },
      },
    },
  } satisfies BetterAuthOptions['databaseHooks'];
}

const removed = { code: 'MEMBER_REMOVED', message: 'You are no longer a member. Ask an administrator.' };

function inCommon({ database, publicUrl, logger, limits }: AuthOptions) {
  const count = (key: string, limit: Limit) => countAttempt(database, key, limit);
  return {
    // Only what it says, never the values with which it says it.
    logger: { level: 'warn', log: (level, message) => logger[level === 'error' ? 'error' : 'debug'](message) },
    rateLimit: {
      enabled: true,
      window: limits.ofAddress.window,
      max: 10 * limits.ofAddress.max,
      customRules: {
        '/get-session': false,
        '/sign-in/*': limits.ofAddress,
        '/change-password': limits.ofAddress,
        [`/callback/${openIdProvider}`]: limits.ofAddress,
      },
      customStorage: { consume: (key, limit) => count(`address ${key}`, limit) },
    },
    hooks: {
      before: createAuthMiddleware(async ({ path, body }) => {
        // A provider's word comes from the provider, and is for this one browser.
        if (path === '/sign-in/social' && body?.idToken !== undefined) throw new APIError('BAD_REQUEST', noTokens);
        const address: unknown = body?.email;
        if (path !== '/sign-in/email' || typeof address !== 'string') return undefined;
        const email = disguised(address);
        const { allowed, retryAfter } = await count(`account ${email}`, limits.ofAccount);
        if (!allowed) throw new APIError('TOO_MANY_REQUESTS', tooMany, { 'Retry-After': String(retryAfter) });
        return { context: { body: { ...body, email } } };
      }),
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: publicUrl.startsWith('https://'),
      database: { generateId: ({ model }) => createId(model === 'session' ? 'ses' : 'acc') },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // Off by default where the library takes its surroundings for a test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
  } satisfies Partial<BetterAuthOptions>;
}

const noTokens = { code: 'NO_TOKENS_HERE', message: 'Sign in on the page of the provider.' };
const tooMany = { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts to sign in. Wait a while, then try again.' };

/** Our own pages: under the public address, and under whatever address this very request came to. */
function originsOf(publicUrl: string, request: Request | undefined): string[] {
  const host = request?.headers.get('host');
  const origin = new URL(publicUrl).origin;
  return host ? [origin, `http://${host}`, `https://${host}`] : [origin];
}
