/**
 * `/auth/*`: signing in and out. Whatever changes something must come from a page of ours, and bodies are small. Secrets leave
 * in cookies alone: what the sign-in library would also put into an answer is taken out.
 */
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { addressHeader } from './auth/address-header.js';
import { callerAddress } from './auth/caller-address.js';
import { goneLinkPage, linkPage, linkPageStyle } from './auth/link-page.js';
import { returnPath } from './auth/openid-connect.js';
import { ProviderAwayError, type SignIn } from './auth/sign-in.js';
import { withoutSecrets } from './auth/without-secrets.js';
import { notJson, notServed, otherSite, providerAway, tooLarge } from './auth-problems.js';
import { UnavailableError } from './errors.js';
import { withoutCompression } from './http/compression.js';
import { isJsonInUtf8 } from './http/json-type.js';
import { findLinkOwner } from './modules/identity/sign-in-link.js';
import { isFromOwnPage } from './own-page.js';
import { readAtMost } from './read-at-most.js';
import { ProblemError } from './rest/problems.js';
import { encodedBody } from './rest/refusals.js';
import type { Services } from './services.js';

export interface AuthRoutesOptions {
  services: Services;
  signIn: SignIn;
  /** What a caller learns of an error, as for GraphQL. */
  maskError: (error: unknown) => Error;
}

const maximumBytes = 16_384;

/** What the library needs to know of a request. */
const passedHeaders = ['cookie', 'origin', 'referer', 'host', 'user-agent', 'sec-fetch-site', 'sec-fetch-mode'];

const pagePolicy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function authRoutes(options: AuthRoutesOptions): Middleware {
  const routes = new AuthRoutes(options);
  return async (ctx, next) => {
    const path = /^\/auth(\/.*)$/.exec(ctx.path)?.[1];
    if (path === undefined) return next();
    ctx.set('Cache-Control', 'no-store');
    // An answer may hold a secret, whose length compression would give away bit by bit.
    withoutCompression(ctx);
    try {
      await routes.serve(ctx, path);
    } catch (error) {
      throw error instanceof ProblemError || error === ctx.req.errored ? error : options.maskError(error);
    }
  };
}

class AuthRoutes {
  constructor(private readonly options: AuthRoutesOptions) {}

  async serve(ctx: Context, path: string): Promise<void> {
    const { services, signIn } = this.options;
    const endpoint = `${ctx.method === 'HEAD' ? 'GET' : ctx.method} ${path}`;
    if (ctx.method === 'POST' && !isFromOwnPage(ctx, services.publicUrl)) throw new ProblemError(otherSite);
    if (endpoint === 'GET /methods') ctx.body = signIn.methods;
    else if (endpoint === 'GET /link.css') sendStyle(ctx);
    else if (endpoint === 'GET /link') await this.#showLink(ctx, String(ctx.query['token'] ?? ''));
    else if (endpoint === 'POST /link') await this.#takeLink(ctx);
    else if (!signIn.serves(ctx.method, path)) throw new ProblemError(notServed);
    else if (path === returnPath) await this.#comeBack(ctx);
    else await this.#pass(ctx, path);
  }

  /** A person comes from the provider: whatever is refused is said on the page where they can try again. */
  async #comeBack(ctx: Context): Promise<void> {
    let refusal = 'sign_in_failed';
    try {
      const answer = await this.#ask(ctx, { method: 'GET', path: returnPath, search: ctx.search, body: null });
      if (answer.status < 400) return await send(ctx, answer);
      if (answer.status === 429) refusal = 'too_many_attempts';
    } catch (error) {
      if (error instanceof ProblemError) refusal = error.problem.code;
      else if (!(error instanceof UnavailableError)) throw error;
    }
    ctx.redirect(`/sign-in?error=${refusal}`);
  }

  /** Passes the request on to the library as it is. */
  async #pass(ctx: Context, path: string): Promise<void> {
    const isPost = ctx.method === 'POST';
    if (isPost && !isJsonInUtf8(ctx.get('content-type'))) throw new ProblemError(notJson);
    const body = isPost ? await readBody(ctx.req) : null;
    await send(ctx, await this.#ask(ctx, { method: ctx.method, path, search: ctx.search, body }));
  }

  async #ask(ctx: Context, { method, path, search, body }: Question): Promise<Response> {
    const { services, signIn } = this.options;
    const headers = new Headers();
    for (const name of passedHeaders) if (ctx.get(name)) headers.set(name, ctx.get(name));
    if (body !== null) headers.set('content-type', 'application/json');
    headers.set(addressHeader, callerAddress(ctx.req.socket.remoteAddress, ctx.get('x-forwarded-for')));
    const url = `${services.publicUrl}/auth${path}${search}`;
    const request = new Request(url, { method, headers, body: body === '' ? '{}' : body });
    const answer = await signIn.answer(request, path).catch((error: unknown) => {
      throw error instanceof ProviderAwayError ? new ProblemError(providerAway) : error;
    });
    // The library has logged what it could not do, and means nothing more by it.
    if (answer.status >= 500) throw new UnavailableError();
    return answer;
  }

  async #showLink(ctx: Context, token: string, problem?: string): Promise<void> {
    const owner = await findLinkOwner(this.options.services.database, token);
    const { openIdConnect } = this.options.signIn.methods;
    const isPasswordOptional = owner?.hasAccount === true || openIdConnect !== null;
    ctx.status = owner ? (problem ? 400 : 200) : 410;
    ctx.set({ 'Content-Security-Policy': pagePolicy, 'Referrer-Policy': 'same-origin' });
    ctx.type = 'html';
    ctx.body = owner ? linkPage({ token, owner, isPasswordOptional, ...(problem ? { problem } : {}) }) : goneLinkPage();
  }

  /** What the page sends. Signed in, the application takes over. */
  async #takeLink(ctx: Context): Promise<void> {
    const form = new URLSearchParams(await readBody(ctx.req));
    const token = form.get('token') ?? '';
    const password = form.get('password') || undefined;
    const body = JSON.stringify({ token, password });
    const answer = await this.#ask(ctx, { method: 'POST', path: '/sign-in/link', search: '', body });
    if (!answer.ok) {
      const { message } = (await answer.json()) as { message?: string };
      return this.#showLink(ctx, token, message);
    }
    ctx.set('Set-Cookie', answer.headers.getSetCookie());
    ctx.status = 303;
    ctx.set('Location', '../');
  }
}

interface Question {
  method: string;
  path: string;
  search: string;
  body: string | null;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const body = await readAtMost(request, {
    maxBytes: maximumBytes,
    tooLarge: () => new ProblemError(tooLarge),
    encoded: () => new ProblemError(encodedBody),
  });
  return body.toString();
}

function sendStyle(ctx: Context): void {
  ctx.set('Cache-Control', 'max-age=3600');
  ctx.type = 'css';
  ctx.body = linkPageStyle;
}

async function send(ctx: Context, response: Response): Promise<void> {
  const { status, headers } = response;
  const cookies = headers.getSetCookie();
  const [location, retryAfter] = [headers.get('location'), headers.get('retry-after') ?? headers.get('x-retry-after')];
  if (cookies.length > 0) ctx.set('Set-Cookie', cookies);
  if (location) ctx.set('Location', location);
  if (retryAfter) ctx.set('Retry-After', retryAfter);
  const text = await response.text();
  if (status >= 400) refuseWithoutCode(status, text);
  ctx.body = withoutSecrets(text);
  if (text !== '') ctx.type = 'json';
  // Koa turns an empty body into 204.
  ctx.status = status;
}

/** The library gives most of its refusals a code, but not what it says of a body that it cannot read. */
function refuseWithoutCode(status: number, text: string): void {
  const { code, message } = (text === '' ? {} : JSON.parse(text)) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return;
  const detail = typeof message === 'string' && message !== '' ? `${message}.` : 'The request cannot be used.';
  throw new ProblemError({ status, code: 'invalid_request', title: 'Invalid request', detail });
}
