import { builder } from '../../builder.js';

/** A type of the GraphQL schema for a user as other members of the organization see them: with id and name, and nothing else. */
export function personType(variant: string, description: string) {
  return builder.prismaObject('User', {
    variant,
    description,
    select: { id: true, name: true },
    fields: (t) => ({
      id: t.id({ description: 'Id of the user, the same as their `sub`.', resolve: ({ id }) => id }),
      name: t.string({ nullable: true, description: 'Display name.', resolve: ({ name }) => name }),
    }),
  });
}
