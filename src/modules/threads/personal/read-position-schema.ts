/** What is unread to the viewer, in the GraphQL schema. Nobody sees what others have read. */
import { builder } from '../../../builder.js';
import { NotFoundError } from '../../../errors.js';
import { loadThread } from '../mutations.js';
import { Thread } from '../schema.js';
import { markRead } from './read-position.js';

builder.prismaObjectField(Thread, 'isUnread', (t) =>
  t.boolean({
    description:
      'Whether messages have been added since you last marked the thread as read. False for a thread that you have never marked as read.',
    select: (_args, { viewer }) => ({
      lastSequence: true,
      readPositions: { where: { userId: viewer.userId }, take: 1, select: { sequence: true } },
    }),
    resolve: ({ lastSequence, readPositions: [read] }) => read !== undefined && read.sequence < lastSequence,
  }),
);

const MarkThreadReadInput = builder.inputType('MarkThreadReadInput', {
  description: 'How far you have read a thread.',
  fields: (t) => ({
    threadId: t.id({ required: true, description: 'Id of the thread.' }),
    messageId: t.id({ required: true, description: 'Id of the newest message that you have read.' }),
  }),
});

builder.mutationField('markThreadRead', (t) =>
  t.field({
    type: Thread,
    description:
      'Marks a thread as read up to one of its messages, for yourself. An earlier message than the one marked before changes nothing.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [NotFoundError] },
    args: { input: t.arg({ type: MarkThreadReadInput, required: true, description: 'How far you have read.' }) },
    resolve: async (_root, { input }, context, info) => {
      await markRead(context.database, context.viewer, input);
      return loadThread(input.threadId, context, info);
    },
  }),
);
