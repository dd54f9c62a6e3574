/**
 * Reads session cookies in the format of the sign-in library: secret, period, HMAC-SHA-256 in base64. This lets a
 * GraphQL request authenticate its viewer with one statement, without the library.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const cookiePrefix = 'skein';

export interface SessionCookieOptions {
  /** The key that signs cookies. */
  secret: string;
  /** Whether the service is reached over TLS: then the cookie is `Secure` and has the matching name prefix. */
  isSecure: boolean;
}

/** Returns the session secret in the `Cookie` header: null if there is no session cookie, empty if it is forged. */
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

/** The first cookie of this name; null if there is none, empty if it cannot be decoded. */
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
