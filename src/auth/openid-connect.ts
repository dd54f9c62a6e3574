/**
 * Signing in with the organization's own provider. Nobody becomes a user by it: the provider vouches for an address, and an
 * administrator has said which addresses are users.
 */
import { genericOAuth } from 'better-auth/plugins';

const openIdProvider = 'openid';

/** Where the browser comes back to from the provider, below `/auth`. */
export const returnPath = `/callback/${openIdProvider}`;

export interface OpenIdConnect {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** How the button calls it. */
  name: string;
}

/** Asks the provider for its addresses and keys as soon as the library is made; that fails where the provider is away. */
export function openIdConnectPlugin({ issuer, clientId, clientSecret, name }: OpenIdConnect) {
  return genericOAuth({
    config: [
      {
        providerId: openIdProvider,
        name,
        discoveryUrl: `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
        requireIdTokenVerification: true,
        clientId,
        clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        disableSignUp: true,
        disableProviderLogout: true,
        // Many providers do not say it, and an operator has chosen this one; but what it disowns is no address.
        mapProfileToUser: (profile) => ({ emailVerified: profile['email_verified'] !== false }),
      },
    ],
  });
}
