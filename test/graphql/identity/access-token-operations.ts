/** The operations on access tokens, as a client sends them. */
import type { GraphQLClient } from '../../support/graphql-client.js';

/** As `accessTokens` lists it. */
export interface AccessToken {
  id: string;
  name: string;
  lastFour: string;
  scopes: string[];
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

/** What `createAccessToken` came to: the first two of its members, or the problems. */
export interface Creation {
  __typename: 'CreatedAccessToken' | 'InvalidInputError';
  secret: string;
  accessToken: AccessToken;
  problems: { field: string; message: string }[];
}

const tokenFields = 'id name lastFour scopes createdAt expiresAt lastUsedAt revokedAt';
const creation = `mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) {
  __typename
  ... on CreatedAccessToken { secret accessToken { ${tokenFields} } }
  ... on InvalidInputError { problems { field message } }
} }`;
const revocation = `mutation ($id: ID!) { revokeAccessToken(id: $id) {
  __typename ... on AccessToken { ${tokenFields} } ... on NotFoundError { code }
} }`;

export async function createToken(client: GraphQLClient, input: Record<string, unknown>): Promise<Creation> {
  return (await client.data<{ createAccessToken: Creation }>(creation, { input })).createAccessToken;
}

export async function revokeToken(client: GraphQLClient, id: string): Promise<Record<string, unknown>> {
  return (await client.data<{ revokeAccessToken: Record<string, unknown> }>(revocation, { id })).revokeAccessToken;
}

export async function listTokens(client: GraphQLClient): Promise<AccessToken[]> {
  return (await client.data<{ accessTokens: AccessToken[] }>(`{ accessTokens { ${tokenFields} } }`)).accessTokens;
}
