/**
 * Reads the cookie of a session, as the sign-in library writes it: the secret, a point, and its HMAC-SHA-256 in base 64. So
 * every request of GraphQL knows its viewer by one statement, and no other part of the cookie counts.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const cookiePrefix = 'skein';

export interface SessionCookieOptions {
  /** The key that signs cookies. */
  secret: string;
  /** True where people reach the service over TLS: then the cookie is `Secure`, and its name says so. */
  isSecure: boolean;
}

/** The secret of a session from the value of the `Cookie` header: null where there is none, empty where it is forged. */
export type ReadSession = (cookies: string | undefined) => string | null;

export function createSessionReader({ secret, isSecure }: SessionCookieOptions): ReadSession {
  const name = `${isSecure ? '__Secure-' : ''}${cookiePrefix}.session_token`;
  return (cookies = '') => {
    const value = cookieOf(cookies, name);
    if (value === null) return null;
    const token = value.slice(0, Math.max(0, value.lastIndexOf('.')));
    const signature = Buffer.from(value.slice(token.length + 1), 'base64');
    const expected = createHmac('sha256', secret).update(token).digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected) ? token : '';
  };
}

/** The first cookie of the name; null where there is none. One that cannot be decoded is as good as empty. */
function cookieOf(cookies: string, name: string): string | null {
  const pair = cookies.split(';').find((candidate) => candidate.trim().startsWith(`${name}=`));
  if (pair === undefined) return null;
  const value = pair.slice(pair.indexOf('=') + 1).trim();
  return /%(?![0-9a-f]{2})/i.test(value) ? '' : decodeUtf8(value);
}

function decodeUtf8(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
