/**
 * Sign-in without HTTP: which endpoints of the library exist, and which instance handles them. Endpoints that are not
 * listed do not exist, for example those for signing up, changing an address and deleting an account.
 */
import type { Logger } from 'pino';
import { withinMs } from '../platform/async/time-limit.js';
import type { Quota } from '../platform/rates/quota.js';
import { type Auth, type AuthOptions, createAuth } from './create-auth.js';
import { checkIssuer, type OpenIdConnect, returnPath } from './openid-connect/openid-connect.js';
import { countGuess, type SignInLimits } from './throttle.js';

const endpoints: readonly string[] = [
  'GET /get-session',
  'POST /sign-in/email',
  'POST /sign-in/link',
  'POST /sign-out',
  'POST /revoke-sessions',
  'POST /change-password',
];
const providerEndpoints: readonly string[] = ['POST /sign-in/social', `GET ${returnPath}`];

export interface SignInOptions extends AuthOptions {
  limits: SignInLimits;
  openIdConnect: OpenIdConnect | null;
  /** Timeout for all requests to the provider during one request. */
  providerMs?: number;
}

/** The provider cannot be reached, takes too long, or responds with nothing usable. */
export class ProviderAwayError extends Error {}

export class SignIn {
  readonly #options: SignInOptions;
  readonly #auth: Auth;
  readonly #logger: Logger;
  /**
   * The library contacts the provider when it is created. It is therefore created on first use, and again after a
   * failure.
   */
  #withProvider: Promise<Auth> | null = null;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#auth = createAuth(options);
    this.#logger = options.logger;
  }

  /** The available ways to sign in, for the web application. */
  get methods() {
    const { openIdConnect } = this.#options;
    return { password: true, openIdConnect: openIdConnect && { name: openIdConnect.name } };
  }

  /** Whether the endpoint, a path below `/auth`, is served. */
  serves(method: string, path: string): boolean {
    const endpoint = `${method} ${path}`;
    return endpoints.includes(endpoint) || this.#needsProvider(endpoint);
  }

  /** Counts a password guess for an address, made from `caller`. */
  countGuess(guess: { email: string; caller: string }): Promise<Quota> {
    return countGuess(this.#options.database, this.#options.limits, guess);
  }

  /** Handles a request for a served endpoint. Throws a `ProviderAwayError` while the provider is unavailable. */
  async answer(request: Request, path: string): Promise<Response> {
    if (path === '/get-session') return keepCookies(await this.#auth.handler(request));
    if (!this.#needsProvider(`${request.method} ${path}`)) return this.#auth.handler(request);
    try {
      const answer = await withinMs(this.#options.providerMs ?? 10_000, this.#askWithProvider(request));
      if (!answer) throw new ProviderAwayError();
      return answer;
    } catch (error) {
      if (error instanceof ProviderAwayError) this.#withProvider = null;
      throw error;
    }
  }

  async #askWithProvider(request: Request): Promise<Response> {
    const auth = await this.#reachProvider();
    return auth.handler(request);
  }

  #needsProvider(endpoint: string): boolean {
    return this.#options.openIdConnect !== null && providerEndpoints.includes(endpoint);
  }

  async #reachProvider(): Promise<Auth> {
    this.#withProvider ??= this.#connect();
    try {
      return await this.#withProvider;
    } catch (error) {
      this.#logger.warn({ err: error }, 'the OpenID Connect provider cannot be reached or is misconfigured');
      throw new ProviderAwayError();
    }
  }

  async #connect(): Promise<Auth> {
    const { openIdConnect } = this.#options;
    const auth = createAuth(this.#options, openIdConnect);
    const { socialProviders } = await auth.$context;
    if (openIdConnect) checkIssuer(openIdConnect, socialProviders);
    return auth;
  }
}

/** The library removes the cookie of a session that has ended, but only with it can the next request learn why it has. */
function keepCookies(answer: Response): Response {
  const set = answer.headers.getSetCookie().filter((cookie) => !/; *Max-Age=0\b/i.test(cookie));
  answer.headers.delete('set-cookie');
  for (const cookie of set) answer.headers.append('set-cookie', cookie);
  return answer;
}
