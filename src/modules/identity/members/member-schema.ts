/** Members of the viewer's organization in the GraphQL schema. */
import type { Prisma, User } from '../../../../prisma/generated/client/client.js';
import { builder } from '../../../builder.js';
import { maximumMembers, statedLimit } from '../../../contract.js';
import { InvalidInputError, NotAdministratorError, NotFoundError } from '../../../errors.js';
import { checkText } from '../../check-text.js';
import { appliedLimit } from '../../paging.js';
import { RoleType } from '../schema.js';
import { changeMemberRole, removeMember } from './change-member.js';
import { type InvitedMember, inviteMember, renewSignInLink } from './members.js';

export const MemberType = builder.objectRef<User>('Member').implement({
  description: 'A member of your organization.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Stable id of the user, the same as the `id` of an owner.' }),
    name: t.exposeString('name', { nullable: true, description: 'Display name.' }),
    email: t.exposeString('email', { description: 'E-mail address, which the member signs in with.' }),
    role: t.expose('role', { type: RoleType, description: 'Role of the member within the organization.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the member was invited.' }),
  }),
});

builder.queryField('members', (t) =>
  t.field({
    type: [MemberType],
    description: `The members of your organization, oldest first, at most ${maximumMembers}.`,
    extensions: { maximumItems: maximumMembers },
    authScopes: { scope: 'me:read' },
    args: {
      search: t.arg.string({
        description: `Return only members whose name or address contains this text, ${statedLimit('search')}.`,
      }),
      first: t.arg.int({ description: `Maximum number of members. Default and maximum: ${maximumMembers}.` }),
    },
    resolve: (_root, { search, first }, { database, viewer: { organizationId } }) => {
      checkText([{ field: 'search', value: search, limit: 'search' }]);
      return database.user.findMany({
        where: { organizationId, removedAt: null, ...(search ? { OR: containing(search) } : {}) },
        orderBy: { id: 'asc' },
        take: appliedLimit(first ?? maximumMembers, 'first', maximumMembers),
      });
    },
  }),
);

function containing(search: string): Prisma.UserWhereInput[] {
  // Prisma leaves the signs of patterns as they are.
  const contains = search.replace(/[\\%_]/g, '\\$&');
  return [{ name: { contains, mode: 'insensitive' } }, { email: { contains, mode: 'insensitive' } }];
}

const InvitedMemberType = builder.objectRef<InvitedMember>('InvitedMember').implement({
  description: 'A member and a link that signs them in.',
  fields: (t) => ({
    member: t.expose('member', { type: MemberType, description: 'The member.' }),
    link: t.string({
      description:
        'Link that signs the member in once and lets them choose a password. It is returned only once: send it to the member.',
      resolve: ({ link }) => link.url,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When the link expires.',
      resolve: ({ link }) => link.expiresAt,
    }),
  }),
});

const InviteMemberInput = builder.inputType('InviteMemberInput', {
  description: 'A new member.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'E-mail address, unique in the service.' }),
    name: t.string({ description: `Display name, ${statedLimit('name')}.` }),
    role: t.field({ type: RoleType, required: true, description: 'Role of the member within the organization.' }),
  }),
});

builder.mutationField('inviteMember', (t) =>
  t.field({
    type: InvitedMemberType,
    description: 'Invites somebody to your organization. Requires an administrator.',
    authScopes: { scope: 'me:read' },
    errors: { types: [InvalidInputError, NotAdministratorError] },
    args: { input: t.arg({ type: InviteMemberInput, required: true, description: 'The new member.' }) },
    resolve: (_root, { input: { email, name, role } }, context) => {
      checkText([
        { field: 'email', value: email, limit: 'name' },
        { field: 'name', value: name, limit: 'name' },
      ]);
      return inviteMember(context, { email, name: name ?? null, role });
    },
  }),
);

builder.mutationField('renewSignInLink', (t) =>
  t.field({
    type: InvitedMemberType,
    description:
      'Creates a new sign-in link for a member who has lost the previous one or their password. The previous link stops working. Requires an administrator.',
    authScopes: { scope: 'me:read' },
    errors: { types: [NotFoundError, NotAdministratorError] },
    args: { memberId: t.arg.id({ required: true, description: 'Id of the member.' }) },
    resolve: (_root, { memberId }, context) => renewSignInLink(context, memberId),
  }),
);

const ChangeMemberRoleInput = builder.inputType('ChangeMemberRoleInput', {
  description: 'A new role for a member.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the member.' }),
    role: t.field({ type: RoleType, required: true, description: 'The new role.' }),
  }),
});

builder.mutationField('changeMemberRole', (t) =>
  t.field({
    type: MemberType,
    description: 'Changes the role of another member, with immediate effect. Requires an administrator.',
    authScopes: { scope: 'me:read' },
    errors: { types: [InvalidInputError, NotFoundError, NotAdministratorError] },
    args: { input: t.arg({ type: ChangeMemberRoleInput, required: true, description: 'The change.' }) },
    resolve: async (_root, { input: { id, role } }, context) => {
      const member = await changeMemberRole(context, { id, role });
      context.viewers.forget(id);
      return member;
    },
  }),
);

builder.mutationField('removeMember', (t) =>
  t.field({
    type: MemberType,
    description:
      'Removes another member: ends their sessions, access tokens and password immediately. Their threads remain, and they can be invited again. Requires an administrator.',
    authScopes: { scope: 'me:read' },
    errors: { types: [InvalidInputError, NotFoundError, NotAdministratorError] },
    args: { id: t.arg.id({ required: true, description: 'Id of the member.' }) },
    resolve: async (_root, { id }, context) => {
      const member = await removeMember(context, id);
      context.viewers.forget(id);
      return member;
    },
  }),
);
