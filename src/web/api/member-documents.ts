/** The documents of the members of the viewer's organization. */
import { graphql } from './graphql.js';
import { mutation } from './mutation.js';

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
  query Members($search: String, $first: Int) {
    members(search: $search, first: $first) {
      ...MemberFields
    }
  }
`,
  [memberFields],
);

export const inviteMutation = mutation(
  'InviteMember($input: InviteMemberInput!)',
  'inviteMember(input: $input)',
  '... on InvitedMember { link expiresAt member { ...MemberFields } }',
  [memberFields],
);

export const renewLinkMutation = mutation(
  'RenewSignInLink($memberId: ID!)',
  'renewSignInLink(memberId: $memberId)',
  '... on InvitedMember { link expiresAt }',
);

export const changeRoleMutation = mutation(
  'ChangeMemberRole($input: ChangeMemberRoleInput!)',
  'changeMemberRole(input: $input)',
);

export const removeMemberMutation = mutation('RemoveMember($id: ID!)', 'removeMember(id: $id)');
