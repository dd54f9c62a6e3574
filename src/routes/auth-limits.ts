/**
 * Limits requests to `/auth` before they are handled: sign-in attempts by address, password guesses also by account,
 * and everything else as a request of the session or address. Hashing a password takes a thread and most of a core, so
 * addresses take turns, and only a few hashes run concurrently.
 */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { returnPath } from '../auth/openid-connect/openid-connect.js';
import type { SignIn } from '../auth/sign-in.js';
import { UnauthenticatedError } from '../errors.js';
import { closedSignal } from '../http/closed-signal.js';
import { authenticateSession } from '../modules/identity/session.js';
import { addressKey } from '../platform/rates/caller-address.js';
import { RateLimitedError } from '../platform/rates/rate-limited-error.js';
import { sourceOf } from '../platform/rates/request-source.js';
import type { Services } from '../services.js';

/** Endpoints that sign in or reveal whether a password is correct. */
const attempts: readonly string[] = [
  'POST /sign-in/email',
  'POST /sign-in/link',
  `GET ${returnPath}`,
  'POST /change-password',
  'POST /link',
];

/** Endpoints that hash a password. */
const hashing: readonly string[] = ['/sign-in/email', '/sign-in/link', '/change-password'];

export class AuthLimits {
  readonly #options: { services: Services; signIn: SignIn };
  constructor(options: { services: Services; signIn: SignIn }) {
    this.#options = options;
  }

  /** Counts a request. Throws a `RateLimitedError` beyond a limit. */
  async count(request: IncomingMessage, endpoint: string): Promise<void> {
    const { database, rates, readSession } = this.#options.services;
    const source = sourceOf(request);
    if (attempts.includes(endpoint)) return rates.countAddress('sign-ins', source);
    const session = readSession(request.headers.cookie);
    if (session === null) return rates.countAddress('unauthenticated', source);
    try {
      const { tokenId } = await authenticateSession(database, session);
      rates.count('requests', tokenId, source);
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) throw error;
      rates.countAddress('unauthenticated', source);
    }
  }

  /** Counts a password guess by account. The library rejects invalid bodies. */
  async countGuess(request: IncomingMessage, body: string): Promise<void> {
    const email = emailIn(body);
    if (email === null) return;
    const source = sourceOf(request);
    const quota = await this.#options.signIn.countGuess({ email, caller: source.address });
    source.add(quota);
    if (!quota.isAllowed) throw new RateLimitedError(quota);
  }

  /** Runs the work in the turn of the caller's address. Throws a `BusyError` if that takes too long to come. */
  async inTurn<T>({ req, res }: Context, path: string, work: () => Promise<T>): Promise<T> {
    if (!hashing.includes(path)) return work();
    // The organization is unknown before sign-in.
    const principal = { organizationId: 0, userId: addressKey(sourceOf(req).address) };
    return this.#options.services.passwordHashes.run(principal, work, closedSignal(res));
  }
}

/** The e-mail address in a JSON body; null if there is none. */
function emailIn(body: string): string | null {
  try {
    const { email } = Object(JSON.parse(body)) as { email?: unknown };
    return typeof email === 'string' ? email : null;
  } catch {
    return null;
  }
}
