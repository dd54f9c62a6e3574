/**
 * `/auth/*`: signing in and out. Requests that change anything must be of the same origin, and bodies are small.
 * Secrets leave only in cookies: the library's copies in response bodies are removed. Requests are counted before they
 * cost a statement, sign-in attempts separately.
 */
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { addressHeader } from '../auth/address-header.js';
import { goneLinkPage, linkPage, linkProblem, tooManyAttemptsPage } from '../auth/link-page.js';
import { type LinkLanguage, linkLanguages } from '../auth/link-texts.js';
import { returnPath } from '../auth/openid-connect/openid-connect.js';
import { ProviderAwayError, type SignIn } from '../auth/sign-in.js';
import { UnavailableError } from '../errors.js';
import type { MaskError } from '../graphql/errors/mask-error.js';
import { withoutCompression } from '../http/answers/compression.js';
import { isJsonInUtf8 } from '../http/json-type.js';
import { ProblemError } from '../http/problems/problems.js';
import { encodedBody } from '../http/problems/request-errors.js';
import { readBody } from '../http/read-body.js';
import { isSameOrigin } from '../http/same-origin.js';
import { findLinkOwner } from '../modules/identity/sign-in-link.js';
import { BusyError } from '../platform/fairness/overload-errors.js';
import { RateLimitedError } from '../platform/rates/rate-limited-error.js';
import { sourceOf } from '../platform/rates/request-source.js';
import type { Services } from '../services.js';
import { sendAnswer, sendPage, sendStyle } from './auth-answers.js';
import { AuthLimits } from './auth-limits.js';
import { notJson, notServed, otherSite, providerAway, tooLarge } from './auth-problems.js';

export interface AuthRoutesOptions {
  services: Services;
  signIn: SignIn;
  /** Masks errors, as for GraphQL. */
  maskError: MaskError;
}

const maximumBytes = 16_384;

/** Request headers that the library needs. */
const passedHeaders = ['cookie', 'origin', 'referer', 'host', 'user-agent', 'sec-fetch-site', 'sec-fetch-mode'];

export function authRoutes(options: AuthRoutesOptions): Middleware {
  const routes = new AuthRoutes(options);
  return async (ctx, next) => {
    const path = /^\/auth(\/.*)$/.exec(ctx.path)?.[1];
    if (path === undefined) return next();
    ctx.set('Cache-Control', 'no-store');
    // Compression could reveal secrets in responses by their length.
    withoutCompression(ctx);
    try {
      await routes.serve(ctx, path);
    } catch (error) {
      throw error instanceof ProblemError || error === ctx.req.errored
        ? error
        : options.maskError(error, sourceOf(ctx.req));
    }
  };
}

class AuthRoutes {
  readonly #options: AuthRoutesOptions;
  readonly #limits: AuthLimits;

  constructor(options: AuthRoutesOptions) {
    this.#options = options;
    this.#limits = new AuthLimits(options);
  }

  async serve(ctx: Context, path: string): Promise<void> {
    const { services, signIn } = this.#options;
    const endpoint = `${ctx.method === 'HEAD' ? 'GET' : ctx.method} ${path}`;
    if (ctx.method === 'POST' && !isSameOrigin(ctx, services.publicUrl)) throw new ProblemError(otherSite);
    if (endpoint === 'GET /methods') ctx.body = signIn.methods;
    else if (endpoint === 'GET /link.css') sendStyle(ctx);
    else if (path === '/link') await this.#answerPage(ctx, endpoint);
    else if (!signIn.serves(ctx.method, path)) throw new ProblemError(notServed);
    else if (path === returnPath) await this.#comeBack(ctx);
    else await this.#pass(ctx, path);
  }

  /** Serves the page of a sign-in link. Rate limit errors are shown as a page, too. */
  async #answerPage(ctx: Context, endpoint: string): Promise<void> {
    try {
      await this.#limits.count(ctx.req, endpoint);
      if (endpoint === 'GET /link') await this.#showLink(ctx, String(ctx.query['token'] ?? ''));
      else if (endpoint === 'POST /link') await this.#takeLink(ctx);
      else throw new ProblemError(notServed);
    } catch (error) {
      if (!(error instanceof RateLimitedError || error instanceof BusyError)) throw error;
      this.#options.services.metrics.limitsHit.see(error);
      sendPage(ctx, 429, tooManyAttemptsPage(languageOf(ctx)));
      ctx.set('Retry-After', String(error instanceof RateLimitedError ? error.retryAfter : 1));
    }
  }

  /** Handles the return from the provider. Errors are shown on the sign-in page, where users can retry. */
  async #comeBack(ctx: Context): Promise<void> {
    let refusal = 'sign_in_failed';
    try {
      await this.#limits.count(ctx.req, `GET ${returnPath}`);
      const answer = await this.#ask(ctx, { method: 'GET', path: returnPath, search: ctx.search, body: null });
      if (answer.status < 400) return await sendAnswer(ctx, answer);
    } catch (error) {
      this.#options.services.metrics.limitsHit.see(error);
      if (error instanceof RateLimitedError) refusal = 'too_many_attempts';
      else if (error instanceof ProblemError) refusal = error.problem.code;
      else if (!(error instanceof UnavailableError)) throw error;
    }
    ctx.redirect(`/sign-in?error=${refusal}`);
  }

  /** Passes the request to the library. */
  async #pass(ctx: Context, path: string): Promise<void> {
    const isPost = ctx.method === 'POST';
    await this.#limits.count(ctx.req, `${ctx.method} ${path}`);
    if (isPost && !isJsonInUtf8(ctx.get('content-type'))) throw new ProblemError(notJson);
    const body = isPost ? await readText(ctx.req) : null;
    if (path === '/sign-in/email') await this.#limits.countGuess(ctx.req, body ?? '');
    await sendAnswer(ctx, await this.#ask(ctx, { method: ctx.method, path, search: ctx.search, body }));
  }

  async #ask(ctx: Context, { method, path, search, body }: Question): Promise<Response> {
    const { services, signIn } = this.#options;
    const headers = new Headers();
    for (const name of passedHeaders) if (ctx.get(name)) headers.set(name, ctx.get(name));
    if (body !== null) headers.set('content-type', 'application/json');
    headers.set(addressHeader, sourceOf(ctx.req).address);
    const url = `${services.publicUrl}/auth${path}${search}`;
    const request = new Request(url, { method, headers, body: body === '' ? '{}' : body });
    const answer = await this.#limits
      .inTurn(ctx, path, () => signIn.answer(request, path))
      .catch((error: unknown) => {
        throw error instanceof ProviderAwayError ? new ProblemError(providerAway) : error;
      });
    // The library has logged its error.
    if (answer.status >= 500) throw new UnavailableError();
    return answer;
  }

  async #showLink(ctx: Context, token: string, problem?: string): Promise<void> {
    const owner = await findLinkOwner(this.#options.services.database, token);
    const { openIdConnect } = this.#options.signIn.methods;
    const isPasswordOptional = owner?.hasAccount === true || openIdConnect !== null;
    if (!owner) return sendPage(ctx, 410, goneLinkPage(languageOf(ctx)));
    const page = linkPage(languageOf(ctx), { token, owner, isPasswordOptional, ...(problem ? { problem } : {}) });
    sendPage(ctx, problem ? 400 : 200, page);
  }

  /** Handles the form of the link page, and redirects to the web application after sign-in. */
  async #takeLink(ctx: Context): Promise<void> {
    const form = new URLSearchParams(await readText(ctx.req));
    const token = form.get('token') ?? '';
    const password = form.get('password') || undefined;
    const body = JSON.stringify({ token, password });
    const answer = await this.#ask(ctx, { method: 'POST', path: '/sign-in/link', search: '', body });
    if (!answer.ok) {
      const reason = (await answer.json()) as { code?: string; message?: string };
      return this.#showLink(ctx, token, linkProblem(languageOf(ctx), reason));
    }
    ctx.set('Set-Cookie', answer.headers.getSetCookie());
    ctx.status = 303;
    ctx.set('Location', '../../');
  }
}

/** The language of the page that a browser asks for, by its first choice. */
function languageOf(ctx: Context): LinkLanguage {
  const chosen = ctx.acceptsLanguages(linkLanguages);
  return linkLanguages.find((language) => language === chosen) ?? 'en';
}

interface Question {
  method: string;
  path: string;
  search: string;
  body: string | null;
}

async function readText(request: IncomingMessage): Promise<string> {
  const body = await readBody(request, {
    maxBytes: maximumBytes,
    tooLarge: () => new ProblemError(tooLarge),
    encoded: () => new ProblemError(encodedBody),
  });
  return body.toString();
}
