/**
 * Sends `Strict-Transport-Security` for one year if the service is reached over TLS, so that nobody can offer browsers
 * the page without TLS. Subdomains are not included, because they may belong to others. The header must not be sent
 * over plain HTTP (RFC 6797, 7.2), which a proxy reports in `X-Forwarded-Proto`.
 */
import type { Middleware } from 'koa';

const value = 'max-age=31536000';

/** Adds the header if `publicUrl` has TLS. */
export function hsts(publicUrl: string): Middleware {
  const isSecure = publicUrl.startsWith('https://');
  return async (ctx, next) => {
    const isPlain = /^\s*http\s*(,|$)/i.test(ctx.get('x-forwarded-proto'));
    if (isSecure && !isPlain) ctx.set('Strict-Transport-Security', value);
    await next();
  };
}
