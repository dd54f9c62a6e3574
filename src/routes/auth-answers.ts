/** Responses of `/auth`: pages, and responses of the sign-in library in the form of this service. */
import type { Context } from 'koa';
import { linkPageStyle } from '../auth/link-page.js';
import { withoutSecrets } from '../auth/without-secrets.js';
import { ProblemError } from '../http/problems/problems.js';

const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Sends a page whose policy allows only its own style, icon and form. */
export function sendPage(ctx: Context, status: number, page: string): void {
  ctx.status = status;
  ctx.set({ 'Content-Security-Policy': pagePolicy, 'Referrer-Policy': 'same-origin' });
  ctx.type = 'html';
  ctx.vary('Accept-Language');
  ctx.body = page;
}

export function sendStyle(ctx: Context): void {
  ctx.set('Cache-Control', 'max-age=3600');
  ctx.type = 'css';
  ctx.body = linkPageStyle;
}

/** Sends the library's response without secrets. */
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
  // Koa sets status 204 for an empty body, so the status comes last.
  ctx.status = status;
}

/** Most errors of the library have a code, but not those about invalid bodies. */
function refuseWithoutCode(status: number, text: string): void {
  const { code, message } = (text === '' ? {} : JSON.parse(text)) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return;
  const detail = typeof message === 'string' && message !== '' ? `${message}.` : 'The request is invalid.';
  throw new ProblemError({ status, code: 'invalid_request', title: 'Invalid request', detail });
}
