/**
 * Signing in with the organization's own provider. Nobody becomes a user by it: the provider vouches for an address, and an
 * administrator has said which addresses are users.
 */
import { genericOAuth } from 'better-auth/plugins';
import { type Claims, readClaims } from './provider-claims.js';

const openIdProvider = 'openid';

/** Where the browser comes back to from the provider, below `/auth`. */
export const returnPath = `/callback/${openIdProvider}`;

export interface OpenIdConnect {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** How the button calls it. */
  name: string;
  /** True: the provider never sends `email_verified`, and the operator vouches for its addresses. */
  acceptsMissingEmailVerified: boolean;
}

/** How long user info may take, which is asked for only where the ID token does not say everything. */
const userInfoMs = 5_000;
/** Of what the provider says of a user, or of itself. */
const maximumClaimBytes = 256 * 1024;

/** Asks the provider for its addresses and keys as soon as the library is made; that fails where the provider is away. */
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

/** Null where the provider has no user info. Rejects where it cannot be had. */
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

/** Throws where there is more of it than any claims take: a provider may be wrong, or somebody in its place. */
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

/** Throws an `Error` where the provider calls itself by another name than the configuration (OpenID Connect Discovery, 4.3). */
export function checkIssuer(
  { issuer }: OpenIdConnect,
  providers: readonly { id: string; issuer?: string | undefined }[],
): void {
  const named = providers.find(({ id }) => id === openIdProvider)?.issuer;
  const withoutSlash = (url = '') => url.replace(/\/+$/, '');
  if (withoutSlash(named) === withoutSlash(issuer)) return;
  throw new Error(`The issuer of the provider is "${named}". Set OIDC_ISSUER to it.`);
}
