/**
 * Tells browsers to come over TLS alone for a year, where people reach the service over TLS: then nobody on the way can offer
 * them a page without it. Sub-domains are not named, because they are not ours. A proxy says by `X-Forwarded-Proto` when its
 * own caller came without TLS, and such an answer must not have the header (RFC 6797, 7.2).
 */
import type { Middleware } from 'koa';

const value = 'max-age=31536000';

/** For the answers of a service under this address; without TLS there, it adds nothing. */
export function hsts(publicUrl: string): Middleware {
  const isSecure = publicUrl.startsWith('https://');
  return async (ctx, next) => {
    const isPlain = /^\s*http\s*(,|$)/i.test(ctx.get('x-forwarded-proto'));
    if (isSecure && !isPlain) ctx.set('Strict-Transport-Security', value);
    await next();
  };
}
