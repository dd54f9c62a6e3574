/** The documents of the viewer, of their access tokens, and of the members of their organization. */
import { gql } from 'urql';
import { refusalFields } from './thread-documents.js';
import type { AccessToken, Identity, Member, Refusal, Role, Scope } from './types.js';

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

const memberFields = gql`
  fragment MemberFields on Member {
    id
    name
    email
    role
    createdAt
  }
`;

export const membersQuery = gql<{ members: Member[] }, Record<string, never>>`
  query Members {
    members {
      ...MemberFields
    }
  }
  ${memberFields}
`;

export const inviteMutation = gql<
  { outcome: { __typename: 'InvitedMember'; member: Member; link: string; expiresAt: string } | Refusal },
  { input: { email: string; name: string | null; role: Role } }
>`
  mutation InviteMember($input: InviteMemberInput!) {
    outcome: inviteMember(input: $input) {
      __typename
      ... on InvitedMember {
        link
        expiresAt
        member {
          ...MemberFields
        }
      }
      ...RefusalFields
    }
  }
  ${memberFields}
  ${refusalFields}
`;

export const renewLinkMutation = gql<
  { outcome: { __typename: 'InvitedMember'; link: string; expiresAt: string } | Refusal },
  { memberId: string }
>`
  mutation RenewSignInLink($memberId: ID!) {
    outcome: renewSignInLink(memberId: $memberId) {
      __typename
      ... on InvitedMember {
        link
        expiresAt
      }
      ...RefusalFields
    }
  }
  ${refusalFields}
`;

export const changeRoleMutation = gql<
  { outcome: { __typename: 'Member'; id: string; role: Role } | Refusal },
  { input: { id: string; role: Role } }
>`
  mutation ChangeMemberRole($input: ChangeMemberRoleInput!) {
    outcome: changeMemberRole(input: $input) {
      __typename
      ... on Member {
        id
        role
      }
      ...RefusalFields
    }
  }
  ${refusalFields}
`;
