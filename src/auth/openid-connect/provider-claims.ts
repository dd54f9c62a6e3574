/**
 * Decides whether to trust a provider's claims. The ID token, which the library has verified, identifies the user; user
 * info may only complete it, for the same subject (OpenID Connect Core, 5.3.2). An address counts only if every source
 * that mentions it calls it verified and it cannot be confused with another address.
 */
import { disguiseDomain } from '../any-address.js';

export interface ClaimsOptions {
  clientId: string;
  /** Whether to accept an address without any `email_verified` claim. */
  acceptsMissingEmailVerified: boolean;
  /** Requests user info with the access token; null if the provider has none. Rejects if the request fails. */
  askUserInfo: (accessToken: string) => Promise<Claims | null>;
}

export type Claims = Record<string, unknown>;

export interface ProviderIdentity extends Claims {
  sub: string;
  email: string | null;
  emailVerified: boolean;
  name: string | undefined;
}

/** The user that the provider vouches for. Null without an ID token, or if it is not for us or names nobody. */
export async function readClaims(
  { idToken, accessToken }: { idToken?: string | undefined; accessToken?: string | undefined },
  options: ClaimsOptions,
): Promise<ProviderIdentity | null> {
  if (!idToken) return null;
  const claims = payloadOf(idToken);
  const { sub, exp, azp, name } = claims;
  if (typeof sub !== 'string' || sub.trim() === '' || typeof exp !== 'number') return null;
  if (azp !== undefined && azp !== options.clientId) return null;
  const isComplete = typeof claims['email'] === 'string' && 'email_verified' in claims;
  // User info that cannot be fetched may have said that the address is not verified.
  const silence: Claims = { sub, email_verified: false };
  const info = isComplete || !accessToken ? null : await options.askUserInfo(accessToken).catch(() => silence);
  if (info && info['sub'] !== sub) return null;
  const said = info ? [claims, info] : [claims];
  const emails = said.map(({ email }) => email).filter((email) => typeof email === 'string');
  return {
    sub,
    email: emails[0] ?? null,
    emailVerified:
      new Set(emails.map(foldAscii)).size === 1 && emails.every(isUnmistakable) && isVerified(said, options),
    name: typeof name === 'string' ? name : undefined,
  };
}

/** Decodes the claims of a token whose signature was verified before. */
function payloadOf(idToken: string): Claims {
  const payload: unknown = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
  return typeof payload === 'object' && payload !== null ? { ...payload } : {};
}

/** Some providers send strings instead of booleans. Anything but `true` and "true" means no. */
function isVerified(said: readonly Claims[], { acceptsMissingEmailVerified }: ClaimsOptions): boolean {
  const verdicts = said.filter((claims) => 'email_verified' in claims).map((claims) => claims['email_verified']);
  if (verdicts.length === 0) return acceptsMissingEmailVerified;
  return verdicts.every((verdict) => verdict === true || verdict === 'true');
}

/**
 * Whether the address is unambiguous: its lower-case form must not come from another address (the Kelvin sign becomes a
 * "k"), and it must not be of the encoded form that the library sees.
 */
function isUnmistakable(email: string): boolean {
  const folded = foldAscii(email);
  return folded === email.toLowerCase() && !folded.endsWith(`@${disguiseDomain}`);
}

function foldAscii(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
