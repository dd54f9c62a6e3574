/** The answers of `/auth`: pages, and what the sign-in library says, as everything else of the service says it. */
import type { Context } from 'koa';
import { linkPageStyle } from '../auth/link-page.js';
import { withoutSecrets } from '../auth/without-secrets.js';
import { ProblemError } from '../http/problems/problems.js';

const pagePolicy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A page that nothing but its own style and form can be part of. */
export function sendPage(ctx: Context, status: number, page: string): void {
  ctx.status = status;
  ctx.set({ 'Content-Security-Policy': pagePolicy, 'Referrer-Policy': 'same-origin' });
  ctx.type = 'html';
  ctx.body = page;
}

export function sendStyle(ctx: Context): void {
  ctx.set('Cache-Control', 'max-age=3600');
  ctx.type = 'css';
  ctx.body = linkPageStyle;
}

/** What the library answered, without its secrets. */
export async function sendAnswer(ctx: Context, response: Response): Promise<void> {
  const { status, headers } = response;
  const cookies = headers.getSetCookie();
  const location = headers.get('location');
  if (cookies.length > 0) ctx.set('Set-Cookie', cookies);
  if (location) ctx.set('Location', location);
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
  const detail = typeof message === 'string' && message !== '' ? `${message}.` : 'The request is invalid.';
  throw new ProblemError({ status, code: 'invalid_request', title: 'Invalid request', detail });
}
