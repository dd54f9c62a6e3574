/** The documents of the viewer, of their sessions, and of their access tokens. */
import { gql } from 'urql';
import { refusalFields } from './thread-documents.js';
import type { AccessToken, BrowserSession, Identity, Refusal, Scope } from './types.js';

const tokenFields = gql`
  fragment TokenFields on AccessToken {
    id
    name
    scopes
    lastFour
    createdAt
    expiresAt
    lastUsedAt
    revokedAt
  }
`;

export const meQuery = gql<{ me: Identity }, Record<string, never>>`
  query Me {
    me {
      sub
      name
      email
      role
      organizationSlug
    }
  }
`;

export const sessionsQuery = gql<{ sessions: BrowserSession[] }, Record<string, never>>`
  query Sessions {
    sessions {
      id
      userAgent
      createdAt
      lastUsedAt
      isCurrent
    }
  }
`;

export const endSessionMutation = gql<{ outcome: { __typename: 'Session'; id: string } | Refusal }, { id: string }>`
  mutation EndSession($id: ID!) {
    outcome: endSession(id: $id) {
      __typename
      ... on Session {
        id
      }
      ...RefusalFields
    }
  }
  ${refusalFields}
`;

export const tokensQuery = gql<{ accessTokens: AccessToken[] }, Record<string, never>>`
  query AccessTokens {
    accessTokens {
      ...TokenFields
    }
  }
  ${tokenFields}
`;

export const createTokenMutation = gql<
  { outcome: { __typename: 'CreatedAccessToken'; secret: string; accessToken: AccessToken } | Refusal },
  { input: { name: string; scopes: Scope[]; expiresInDays: number } }
>`
  mutation CreateAccessToken($input: CreateAccessTokenInput!) {
    outcome: createAccessToken(input: $input) {
      __typename
      ... on CreatedAccessToken {
        secret
        accessToken {
          ...TokenFields
        }
      }
      ...RefusalFields
    }
  }
  ${tokenFields}
  ${refusalFields}
`;

export const revokeTokenMutation = gql<
  { outcome: ({ __typename: 'AccessToken' } & AccessToken) | Refusal },
  { id: string }
>`
  mutation RevokeAccessToken($id: ID!) {
    outcome: revokeAccessToken(id: $id) {
      __typename
      ...TokenFields
      ...RefusalFields
    }
  }
  ${tokenFields}
  ${refusalFields}
`;
