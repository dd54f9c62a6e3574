/** The operations on access tokens, as a client sends them. */
import type { InputOf } from '../../../src/graphql/document-types/document-types.js';
import type { Data, GraphQLClient } from '../../support/clients/graphql-client.js';

const tokenFields = 'id name lastFour scopes createdAt expiresAt lastUsedAt revokedAt';
const creation = `mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) {
  __typename
  ... on CreatedAccessToken { secret accessToken { ${tokenFields} } }
  ... on InvalidInputError { problems { field message } }
} }`;
const revocation = `mutation ($id: ID!) { revokeAccessToken(id: $id) {
  __typename ... on AccessToken { ${tokenFields} } ... on NotFoundError { code }
} }`;

const list = `{ accessTokens { ${tokenFields} } }`;

/** As `accessTokens` lists it. */
export type AccessToken = Data<typeof list>['accessTokens'][number];

/** What `createAccessToken` came to: a token, or the problems. */
export type Creation = Data<typeof creation>['createAccessToken'];

export async function createToken(client: GraphQLClient, input: InputOf<typeof creation>['input']): Promise<Creation> {
  return (await client.data(creation, { input })).createAccessToken;
}

export async function revokeToken(client: GraphQLClient, id: string) {
  return (await client.data(revocation, { id })).revokeAccessToken;
}

export async function listTokens(client: GraphQLClient): Promise<AccessToken[]> {
  return (await client.data(list)).accessTokens;
}
