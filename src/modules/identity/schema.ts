/** The identity of the viewer in the GraphQL schema. */
import { builder } from '../../builder.js';
import type { Viewer } from './authenticate.js';

export const RoleType = builder.enumType('Role', {
  description: 'What a user may do within the organization.',
  values: {
    ADMIN: { value: 'admin', description: 'May manage the organization and its members.' },
    MEMBER: { value: 'member', description: 'May use threads.' },
  } as const,
});

export const Identity = builder.objectRef<Viewer>('Identity').implement({
  description: 'The authenticated user and the organization.',
  fields: (t) => ({
    sub: t.exposeID('userId', { description: 'Stable id of the user, the same as the `id` of an owner.' }),
    name: t.exposeString('name', { nullable: true, description: 'Display name.' }),
    email: t.exposeString('email', { nullable: true, description: 'E-mail address.' }),
    userNumber: t.exposeInt('userNumber', { description: 'Internal numeric id of the user.' }),
    organizationNumber: t.exposeInt('organizationId', { description: 'Internal numeric id of the organization.' }),
    organizationSlug: t.exposeString('organizationSlug', { description: 'URL-safe name of the organization.' }),
    organizationName: t.exposeString('organizationName', { description: 'Display name of the organization.' }),
    role: t.expose('role', { type: RoleType, description: 'What the user may do within the organization.' }),
  }),
});

builder.queryField('me', (t) =>
  t.field({
    type: Identity,
    description: 'The authenticated user.',
    authScopes: { scope: 'me:read' },
    resolve: (_root, _args, { viewer }) => viewer,
  }),
);
