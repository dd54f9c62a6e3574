/**
 * Configures the sign-in library: users are those of Skein, nobody can sign up, sessions are rows that can be ended,
 * and a provider's tokens are discarded.
 */
import type { BetterAuthOptions } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { passwordLength } from '../contract.js';
import { createId } from '../ids.js';
import { addressHeader } from './address-header.js';
import { withAnyAddress } from './any-address.js';
import { withEqualWork } from './equal-work.js';
import { withHashedTokens } from './hashed-tokens.js';
import { signInLinkPlugin } from './link-plugin.js';
import { issuerOf, withIssuer } from './openid-connect/account-issuer.js';
import { type OpenIdConnect, openIdConnectPlugin } from './openid-connect/openid-connect.js';
import { cookiePrefix } from './session-cookie.js';
import { afterEndpoint, beforeEndpoint } from './throttle.js';

export interface AuthOptions {
  database: PrismaClient;
  /** The key that signs cookies. */
  secret: string;
  publicUrl: string;
  logger: Logger;
}

const dayS = 86_400;

export type Auth = ReturnType<typeof createAuth>;

/** With a provider, `$context` rejects while the provider cannot be reached. */
export function createAuth(options: AuthOptions, provider: OpenIdConnect | null = null) {
  const { database, secret, publicUrl } = options;
  const baseURL = `${publicUrl}/auth`;
  return betterAuth({
    appName: 'Skein',
    baseURL,
    basePath: new URL(baseURL).pathname,
    secret,
    database: (library: BetterAuthOptions) => {
      const store = withAnyAddress(prismaAdapter(database, { provider: 'postgresql' })(library));
      return withHashedTokens(withEqualWork(provider ? withIssuer(store, provider.issuer) : store));
    },
    trustedOrigins: (request) => originsOf(publicUrl, request),
    telemetry: { enabled: false },
    onAPIError: { throw: true, errorURL: `${publicUrl}/sign-in` },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
    },
    session: { expiresIn: 30 * dayS, updateAge: dayS },
    account: { storeStateStrategy: 'cookie', updateAccountOnSignIn: false, accountLinking, additionalFields },
    databaseHooks: hooksOf(database),
    // `routes/auth-limits.ts` counts attempts before the library is called.
    rateLimit: { enabled: false },
    hooks: { before: beforeEndpoint, after: afterEndpoint(database) },
    ...inCommon(options),
    plugins: [signInLinkPlugin(database), ...(provider ? [openIdConnectPlugin(provider)] : [])],
  });
}

const additionalFields = { issuer: { type: 'string', input: false } } as const;
const accountLinking = { enabled: true, trustedProviders: [], allowDifferentEmails: false };

/** Stores no provider tokens, and rejects every way to sign in for removed members. */
function hooksOf(database: PrismaClient) {
  const refuseRemoved = async (id: string) => {
    const user = await database.user.findUnique({ where: { id }, select: { removedAt: true } });
    if (user?.removedAt) throw new APIError('FORBIDDEN', removed);
  };
  return {
    account: {
      create: {
        before: async (account, request) => {
          const { userId, providerId } = account;
          if (!request) throw new Error('An account is made by a request only, which knows its provider.');
          const issuer = issuerOf(providerId, request.context);
          await refuseRemoved(userId);
          if (await database.account.findFirst({ where: { userId, issuer } })) throw new APIError('FORBIDDEN', linked);
          return { data: { ...account, issuer, accessToken: null, refreshToken: null, idToken: null } };
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

/** E-mail addresses are reassigned over time, so a new subject with a known address is not the former user. */
const linked = {
  code: 'LINKED_TO_ANOTHER',
  message: 'This address belongs to another account of your provider. Ask an administrator.',
};
const removed = { code: 'MEMBER_REMOVED', message: 'You are no longer a member. Ask an administrator.' };

/** Mistakes of those who sign in, which are no defects: they return too late, or in another browser, or are no users. */
const mistakes =
  /^(Invalid (\w+URL|origin):|(INVALID_CALLBACK_REQUEST|State not found|Failed to parse state|signup_disabled|account_not_linked)$|Unable to link account -)/;

/** The code with which a provider refused a request (RFC 6749, section 5.2): `invalid_client`, for example, for a wrong secret. */
function refusalIn(detail: unknown): { refusal?: string } {
  if (typeof detail !== 'object' || detail === null || !('error' in detail)) return {};
  const { error } = detail;
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? { refusal: error } : {};
}

function inCommon({ publicUrl, logger }: AuthOptions) {
  return {
    // Logs the library's messages without their arguments, which may hold secrets.
    logger: {
      level: 'warn',
      log: (level, message, detail) =>
        logger[level === 'error' && !mistakes.test(message) ? 'error' : 'debug'](refusalIn(detail), message),
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: publicUrl.startsWith('https://'),
      database: { generateId: ({ model }) => createId(model === 'session' ? 'ses' : 'acc') },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // The library disables this check by default when it detects a test environment.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
  } satisfies Partial<BetterAuthOptions>;
}

/** The trusted origins: the public URL, and the origin that this request was sent to. */
function originsOf(publicUrl: string, request: Request | undefined): string[] {
  const host = request?.headers.get('host');
  const origin = new URL(publicUrl).origin;
  return host ? [origin, `http://${host}`, `https://${host}`] : [origin];
}
