/**
 * The sign-in library identifies an account by the id of its provider and its subject, and that id stays the same when an operator
 * changes `OIDC_ISSUER`. A subject is unique within its issuer only (OpenID Connect Core, 2), so each account keeps its
 * issuer, and those of another issuer are not found: nobody is taken for somebody whom the former provider called the same.
 */
import type { AuthContext, DBAdapter, Where } from 'better-auth';
import { openIdProvider } from './openid-connect.js';

/** The issuer of an account with this provider; passwords have one that is no address. */
export function issuerOf(providerId: string, { socialProviders }: Pick<AuthContext, 'socialProviders'>): string {
  return socialProviders.find(({ id }) => id === providerId)?.issuer ?? `local:${providerId}`;
}

/** Wraps a store; it finds accounts of the provider only if they are of this issuer, with or without a slash at its end. */
export function withIssuer(store: DBAdapter, issuer: string): DBAdapter {
  const named = issuer.replace(/\/+$/, '');
  const ofIssuer: Where = { field: 'issuer', operator: 'in', value: [named, `${named}/`] };
  return {
    ...store,
    findMany: (request) =>
      store.findMany(request.where?.some(isProvider) ? { ...request, where: [...request.where, ofIssuer] } : request),
  };
}

function isProvider({ field, value }: Where): boolean {
  return field === 'providerId' && value === openIdProvider;
}
