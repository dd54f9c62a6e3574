/**
 * How often a caller may ask `/auth`, counted before anything of the request is done: attempts to sign in by the address from which
 * they come, guesses of a password by their account too, and everything else as a request of the session, or of the address.
 * Hashing a password takes a thread and much of a core, so addresses take turns at it, and a few run at the same time.
 */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { returnPath } from '../auth/openid-connect.js';
import type { SignIn } from '../auth/sign-in.js';
import { UnauthenticatedError } from '../errors.js';
import { QueueFullError } from '../fairness/fair-semaphore.js';
import { BusyError } from '../fairness/overload-errors.js';
import { closedSignal } from '../http/closed-signal.js';
import { authenticateSession } from '../modules/identity/session.js';
import { addressKey } from '../rates/address-key.js';
import { RateLimitedError } from '../rates/rate-limited-error.js';
import { sourceOf } from '../rates/request-source.js';
import type { Services } from '../services.js';

/** By what somebody may try to sign in, or to find out a password. */
const attempts: readonly string[] = [
  'POST /sign-in/email',
  'POST /sign-in/link',
  'POST /sign-in/social',
  `GET ${returnPath}`,
  'POST /change-password',
  'POST /link',
];

/** What hashes a password. */
const hashing: readonly string[] = ['/sign-in/email', '/sign-in/link', '/change-password'];

export class AuthLimits {
  constructor(private readonly options: { services: Services; signIn: SignIn }) {}

  /** Throws a `RateLimitedError` where the caller has asked, or tried to sign in, too often. */
  async count(request: IncomingMessage, endpoint: string): Promise<void> {
    const { database, rates, readSession } = this.options.services;
    const source = sourceOf(request);
    if (attempts.includes(endpoint)) return rates.countSignIn(source);
    const session = readSession(request.headers.cookie);
    if (session === null) return rates.countUnauthenticated(source);
    try {
      await rates.countRequest(await authenticateSession(database, session), source);
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) throw error;
      await rates.countUnauthenticated(source);
    }
  }

  /** Counts a guess of a password by its account too. A body that cannot be read is the library's to refuse. */
  async countGuess(request: IncomingMessage, body: string): Promise<void> {
    const email = emailIn(body);
    if (email === null) return;
    const source = sourceOf(request);
    const quota = await this.options.signIn.countGuess({ email, caller: source.address });
    source.add(quota);
    if (!quota.isAllowed) throw new RateLimitedError(quota);
  }

  /** Does the work for a path when it is the turn of the caller's address. Throws a `BusyError` where that does not come. */
  async inTurn<T>(ctx: Context, path: string, work: () => Promise<T>): Promise<T> {
    if (!hashing.includes(path)) return work();
    const release = await this.#takeTurn(ctx);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #takeTurn({ req, res }: Context): Promise<() => void> {
    const { passwordHashes, hashWaitMs } = this.options.services;
    const signal = AbortSignal.any([closedSignal(res), AbortSignal.timeout(hashWaitMs)]);
    // Which organization somebody belongs to is not known before they are in.
    const party = { organizationId: 0, userId: addressKey(sourceOf(req).address) };
    try {
      return await passwordHashes.acquire(party, { signal });
    } catch (error) {
      if (!(error instanceof QueueFullError) && error !== signal.reason) throw error;
      throw new BusyError('Too many sign-ins from your address at the same time.');
    }
  }
}

/** The address that a body in JSON holds; null where there is none. */
function emailIn(body: string): string | null {
  try {
    const { email } = Object(JSON.parse(body)) as { email?: unknown };
    return typeof email === 'string' ? email : null;
  } catch {
    return null;
  }
}
