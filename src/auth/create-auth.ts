/**
 * The sign-in library, set up for Skein: its users are ours, nobody can sign up, sessions are rows that can be ended, and
 * what a provider gives beside an identity is thrown away.
 */
import type { BetterAuthOptions } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { createId } from '../ids.js';
import { addressHeader } from './address-header.js';
import { withAnyAddress } from './any-address.js';
import { withEqualWork } from './equal-work.js';
import { withHashedTokens } from './hashed-tokens.js';
import { signInLinkPlugin } from './link-plugin.js';
import { type OpenIdConnect, openIdConnectPlugin } from './openid-connect.js';
import { cookiePrefix } from './session-cookie.js';
import { afterEndpoint, beforeEndpoint } from './throttle.js';

export interface AuthOptions {
  database: PrismaClient;
  /** Signs cookies. */
  secret: string;
  publicUrl: string;
  logger: Logger;
}

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
      withHashedTokens(withEqualWork(withAnyAddress(prismaAdapter(database, { provider: 'postgresql' })(library)))),
    trustedOrigins: (request) => originsOf(publicUrl, request),
    telemetry: { enabled: false },
    onAPIError: { throw: true, errorURL: `${publicUrl}/sign-in` },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength, maxPasswordLength },
    session: { expiresIn: 30 * dayS, updateAge: dayS },
    account: { storeStateStrategy: 'cookie', updateAccountOnSignIn: false, accountLinking },
    databaseHooks: hooksOf(database),
    // Attempts are counted before the library is asked.
    rateLimit: { enabled: false },
    hooks: { before: beforeEndpoint, after: afterEndpoint(database) },
    ...inCommon(options),
    plugins: [signInLinkPlugin(database), ...(provider ? [openIdConnectPlugin(provider)] : [])],
  });
}

const accountLinking = { enabled: true, trustedProviders: [], allowDifferentEmails: false };

/** Nothing that acts for somebody at their provider is kept; and whoever was removed comes in by no way. */
function hooksOf(database: PrismaClient) {
  const refuseRemoved = async (id: string) => {
    const user = await database.user.findUnique({ where: { id }, select: { removedAt: true } });
    if (user?.removedAt) throw new APIError('FORBIDDEN', removed);
  };
  return {
    account: {
      create: {
        before: async (account) => {
          const { userId, issuer } = account;
          await refuseRemoved(userId);
          if (await database.account.findFirst({ where: { userId, issuer } })) throw new APIError('FORBIDDEN', linked);
          return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
        },
      },
    },
    session: {
      create: {
        before: ({ userId }) => refuseRemoved(userId),
      },
    },
  } satisfies BetterAuthOptions['databaseHooks'];
}

/** An address is given to somebody else in the end: who comes with it then is not its former owner. */
const linked = {
  code: 'LINKED_TO_ANOTHER',
  message: 'This address belongs to another account of your provider. Ask an administrator.',
};
const removed = { code: 'MEMBER_REMOVED', message: 'You are no longer a member. Ask an administrator.' };

function inCommon({ publicUrl, logger }: AuthOptions) {
  return {
    // Only what it says, never the values with which it says it. What a caller got wrong is no defect of the service.
    logger: {
      level: 'warn',
      log: (level, message) =>
        logger[level === 'error' && !/^Invalid \w+URL:/.test(message) ? 'error' : 'debug'](message),
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

/** Our own pages: under the public address, and under whatever address this very request came to. */
function originsOf(publicUrl: string, request: Request | undefined): string[] {
  const host = request?.headers.get('host');
  const origin = new URL(publicUrl).origin;
  return host ? [origin, `http://${host}`, `https://${host}`] : [origin];
}
