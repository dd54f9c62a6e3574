/** The documents of the members of the viewer's organization. */
import { gql } from 'urql';
import { refusalFields } from './thread-documents.js';
import type { Member, Refusal, Role } from './types.js';

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

export const removeMemberMutation = gql<{ outcome: { __typename: 'Member'; id: string } | Refusal }, { id: string }>`
  mutation RemoveMember($id: ID!) {
    outcome: removeMember(id: $id) {
      __typename
      ... on Member {
        id
      }
      ...RefusalFields
    }
  }
  ${refusalFields}
`;
