/** The documents of the members of the viewer's organization. */
import { graphql } from './graphql.js';
import { refusalFields } from './thread-documents.js';

export const memberFields = graphql(`
  fragment MemberFields on Member {
    id
    name
    email
    role
    createdAt
  }
`);

export const membersQuery = graphql(
  `
  query Members($search: String, $limit: Int) {
    members(search: $search, limit: $limit) {
      ...MemberFields
    }
  }
`,
  [memberFields],
);

export const inviteMutation = graphql(
  `
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
`,
  [memberFields, refusalFields],
);

export const renewLinkMutation = graphql(
  `
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
`,
  [refusalFields],
);

export const changeRoleMutation = graphql(
  `
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
`,
  [refusalFields],
);

export const removeMemberMutation = graphql(
  `
  mutation RemoveMember($id: ID!) {
    outcome: removeMember(id: $id) {
      __typename
      ... on Member {
        id
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);
