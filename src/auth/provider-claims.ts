/**
 * What a provider's claims are worth. The ID token, which the sign-in library has verified, says who somebody is; user info may
 * only complete it, and only for the same subject (OpenID Connect Core, 5.3.2). An address counts where everything that was
 * said of it says that it is verified, and where it cannot be taken for another one.
 */
import { disguiseDomain } from './any-address.js';

export interface ClaimsOptions {
  clientId: string;
  /** Whether an address counts of which the provider never says that it is verified, nor that it is not. */
  acceptsMissingEmailVerified: boolean;
  /** Asks for user info with the access token; null where the provider has none. Rejects where it does not answer. */
  askUserInfo: (accessToken: string) => Promise<Claims | null>;
}

export type Claims = Record<string, unknown>;

export interface ProviderIdentity extends Claims {
  sub: string;
  email: string | null;
  emailVerified: boolean;
  name: string | undefined;
}

/** Whom the provider vouches for. Null where it gave no ID token, or one that is not for us or names nobody. */
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
  // What could not be asked may have been a no.
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

/** The claims of a token whose signature was verified. */
function payloadOf(idToken: string): Claims {
  const payload: unknown = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
  return typeof payload === 'object' && payload !== null ? { ...payload } : {};
}

/** Some providers send texts instead of booleans; whatever is neither `true` nor "true" is a no. */
function isVerified(said: readonly Claims[], { acceptsMissingEmailVerified }: ClaimsOptions): boolean {
  const verdicts = said.filter((claims) => 'email_verified' in claims).map((claims) => claims['email_verified']);
  if (verdicts.length === 0) return acceptsMissingEmailVerified;
  return verdicts.every((verdict) => verdict === true || verdict === 'true');
}

/**
 * False for what another address becomes when it is put into lower case (the Kelvin sign becomes a "k"), and for the form in
 * which only the sign-in library sees addresses.
 */
function isUnmistakable(email: string): boolean {
  const folded = foldAscii(email);
  return folded === email.toLowerCase() && !folded.endsWith(`@${disguiseDomain}`);
}

function foldAscii(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
