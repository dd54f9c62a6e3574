/**
 * Sign-in with the organization's OpenID Connect provider. It never creates users: the provider verifies an address,
 * and an administrator has decided which addresses are users.
 */
import { genericOAuth } from 'better-auth/plugins';
import { type Claims, readClaims } from './provider-claims.js';

export const openIdProvider = 'openid';

/** The callback path for the provider, below `/auth`. */
export const returnPath = `/callback/${openIdProvider}`;

export interface OpenIdConnect {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name on the sign-in button. */
  name: string;
  /** Whether the operator vouches for the addresses of a provider that never sends `email_verified`. */
  acceptsMissingEmailVerified: boolean;
}

/** Timeout for user info, which is requested only if the ID token is incomplete. */
const userInfoMs = 5_000;
/** Maximum size of a user info or discovery document. */
const maximumClaimBytes = 256 * 1024;

/** Fetches the provider's endpoints and keys when the library is created, and fails if the provider is unavailable. */
export function openIdConnectPlugin(provider: OpenIdConnect) {
  const { clientId, clientSecret, name, acceptsMissingEmailVerified } = provider;
  const askUserInfo = (accessToken: string) => fetchUserInfo(provider, accessToken);
  return genericOAuth({
    config: [
      {
        providerId: openIdProvider,
        name,
        discoveryUrl: discoveryUrlOf(provider),
        requireIdTokenVerification: true,
        clientId,
        clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        disableSignUp: true,
        disableProviderLogout: true,
        accountSubject: ({ profile }) => profile.sub ?? '',
        getUserInfo: (tokens) => readClaims(tokens, { clientId, acceptsMissingEmailVerified, askUserInfo }),
      },
    ],
  });
}

function discoveryUrlOf({ issuer }: OpenIdConnect): string {
  return `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
}

/** Fetches user info; null if the provider has no such endpoint. Rejects if the request fails. */
async function fetchUserInfo(provider: OpenIdConnect, accessToken: string): Promise<Claims | null> {
  const signal = AbortSignal.timeout(userInfoMs);
  const { userinfo_endpoint: address } = await fetchClaims(discoveryUrlOf(provider), { signal });
  if (typeof address !== 'string') return null;
  return fetchClaims(address, { signal, redirect: 'error', headers: { authorization: `Bearer ${accessToken}` } });
}

async function fetchClaims(url: string, init: RequestInit): Promise<Claims> {
  const response = await fetch(url, init);
  const value: unknown = response.ok ? JSON.parse(await readText(response)) : null;
  if (typeof value !== 'object' || value === null)
    throw new Error(`${url} did not return a JSON object: ${response.status}`);
  return { ...value };
}

/**
 * Reads the body. Throws if it is larger than any valid document, because the provider may be faulty or impersonated.
 */
async function readText({ url, body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let left = maximumClaimBytes;
  for await (const piece of body ?? []) {
    left -= piece.length;
    if (left < 0) throw new Error(`${url} returned more than ${maximumClaimBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/**
 * Throws an `Error` if the library could not use the provider, or if its issuer differs from the configured one (OpenID Connect
 * Discovery, 4.3).
 */
export function checkIssuer(
  { issuer }: OpenIdConnect,
  providers: readonly { id: string; issuer?: string | undefined }[],
): void {
  const provider = providers.find(({ id }) => id === openIdProvider);
  if (!provider) throw new Error('The discovery document of the provider cannot be read, or lacks what sign-in needs.');
  const named = provider.issuer;
  const withoutSlash = (url = '') => url.replace(/\/+$/, '');
  if (withoutSlash(named) === withoutSlash(issuer)) return;
  throw new Error(`The issuer of the provider is "${named}". Set OIDC_ISSUER to it.`);
}
