/**
 * A plugin of the sign-in library for sign-in links. A password chosen with a link replaces the previous one and ends
 * the user's other sessions, because links also serve users whose password was lost or stolen.
 */

import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { consumeSignInLink } from '../modules/identity/sign-in-link.js';

/**
 * `POST /sign-in/link` with `{ token, password? }`. Returns 410 for links that were used, have expired or never
 * existed.
 */
export function signInLinkPlugin(database: PrismaClient): BetterAuthPlugin {
  const body = z.object({ token: z.string().min(1).max(200), password: z.string().optional() });
  const signInLink = createAuthEndpoint('/sign-in/link', { method: 'POST', body }, async (ctx) => {
    const { token, password } = ctx.body;
    const { internalAdapter } = ctx.context;
    if (password !== undefined) checkPassword(password, ctx.context);
    const userId = await consumeSignInLink(database, token);
    const user = userId === null ? null : await internalAdapter.findUserById(userId);
    if (!user) throw new APIError('GONE', linkIsGone);
    if (password !== undefined) {
      await setPassword(user.id, password, ctx.context);
      await internalAdapter.deleteUserSessions(user.id);
    }
    const session = await internalAdapter.createSession(user.id);
    await setSessionCookie(ctx, { session, user });
    return ctx.json({ status: true });
  });
  return { id: 'sign-in-link', endpoints: { signInLink } };
}

const linkIsGone = {
  code: 'LINK_IS_GONE',
  message: 'This link was already used or has expired. Ask an administrator for a new one.',
};

function checkPassword(password: string, { password: { config } }: AuthContext): void {
  const { minPasswordLength: min, maxPasswordLength: max } = config;
  if (password.length < min) {
    throw new APIError('BAD_REQUEST', { code: 'PASSWORD_TOO_SHORT', message: `Use at least ${min} characters.` });
  }
  if (password.length > max) {
    throw new APIError('BAD_REQUEST', { code: 'PASSWORD_TOO_LONG', message: `Use at most ${max} characters.` });
  }
}

async function setPassword(userId: string, plain: string, { password: { hash }, internalAdapter }: AuthContext) {
  const password = await hash(plain);
  const account = await internalAdapter.findCredentialAccount(userId);
  if (account) await internalAdapter.updateAccount(account.id, { password });
  else await internalAdapter.linkAccount({ userId, providerId: 'credential', accountId: userId, password });
}
