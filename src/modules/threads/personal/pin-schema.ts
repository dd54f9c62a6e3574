/** The viewer's pins in the GraphQL schema. Nobody sees what others have pinned. */
import { builder } from '../../../builder.js';
import { maximumPins } from '../../../contract.js';
import { InvalidInputError, NotFoundError } from '../../../errors.js';
import { loadThread } from '../mutations.js';
import { Thread } from '../schema.js';
import { pinThread, unpinThread } from './pins.js';

builder.prismaObjectField(Thread, 'isPinned', (t) =>
  t.boolean({
    description: 'Whether you have pinned the thread. The filter `pinned` finds the threads that you have pinned.',
    select: (_args, { viewer }) => ({
      pins: { where: { userId: viewer.userId }, take: 1, select: { threadId: true } },
    }),
    resolve: ({ pins }) => pins.length > 0,
  }),
);

builder.mutationField('pinThread', (t) =>
  t.field({
    type: Thread,
    description: `Pins a thread that you can see, for yourself. You can pin ${maximumPins}. It changes nothing for others, and \`updatedAt\` stays.`,
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, NotFoundError] },
    args: { id: t.arg.id({ required: true, description: 'Id of the thread.' }) },
    resolve: async (_root, { id }, context, info) => {
      await pinThread(context.database, context.viewer, id);
      return loadThread(id, context, info);
    },
  }),
);

builder.mutationField('unpinThread', (t) =>
  t.field({
    type: Thread,
    description: 'Unpins a thread for yourself.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [NotFoundError] },
    args: { id: t.arg.id({ required: true, description: 'Id of the thread.' }) },
    resolve: async (_root, { id }, context, info) => {
      await unpinThread(context.database, context.viewer, id);
      return loadThread(id, context, info);
    },
  }),
);
