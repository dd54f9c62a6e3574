/**
 * What a person wants their new threads to be, in the GraphQL schema. It is advice for front ends, which show it and pass it on
 * with each new thread: a request that names no privacy makes a thread that the organization can see, as REST has it.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { builder } from '../../builder.js';
import { NotFoundError } from '../../errors.js';
import type { Viewer } from './authenticate.js';
import { Identity } from './schema.js';

builder.objectField(Identity, 'newThreadsArePrivate', (t) =>
  t.boolean({
    description:
      'Whether you want your new threads to be private. Front ends start with it; `createThread` makes a thread private only if asked to.',
    resolve: async ({ userId: id }, _args, { database }) => {
      const user = await database.user.findUnique({ where: { id }, select: { newThreadsPrivate: true } });
      return user?.newThreadsPrivate ?? false;
    },
  }),
);

const SetNewThreadPrivacyInput = builder.inputType('SetNewThreadPrivacyInput', {
  description: 'What you want your new threads to be.',
  fields: (t) => ({
    isPrivate: t.boolean({ required: true, description: 'Whether new threads start as private.' }),
  }),
});

const NewThreadPrivacy = builder.objectRef<{ isPrivate: boolean }>('NewThreadPrivacy').implement({
  description: 'What you want your new threads to be.',
  fields: (t) => ({
    isPrivate: t.exposeBoolean('isPrivate', { description: 'Whether new threads start as private.' }),
  }),
});

builder.mutationField('setNewThreadPrivacy', (t) =>
  t.field({
    type: NewThreadPrivacy,
    description: 'Sets what front ends make your new threads, unless you choose otherwise for one of them.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [NotFoundError] },
    args: {
      input: t.arg({ type: SetNewThreadPrivacyInput, required: true, description: 'What new threads are to be.' }),
    },
    resolve: async (_root, { input }, { database, viewer }) => {
      await setNewThreadPrivacy(database, viewer, input.isPrivate);
      return input;
    },
  }),
);

/** Throws a `NotFoundError` if the user was deleted meanwhile. */
async function setNewThreadPrivacy(database: PrismaClient, viewer: Viewer, isPrivate: boolean): Promise<void> {
  const { count } = await database.user.updateMany({
    where: { id: viewer.userId },
    data: { newThreadsPrivate: isPrivate },
  });
  if (count === 0) throw new NotFoundError('user');
}
