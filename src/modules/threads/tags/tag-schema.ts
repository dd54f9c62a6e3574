/** Tags of threads in the GraphQL schema. REST does not have them. */
import { builder } from '../../../builder.js';
import { maximumTagLength, maximumTags, maximumTagsInUse } from '../../../contract.js';
import { InvalidInputError } from '../../../errors.js';
import { loadThread, refusals } from '../mutations.js';
import { Thread } from '../schema.js';
import { setTags } from './set-tags.js';
import { countedThreads, readTagsInUse } from './tags-in-use.js';

builder.prismaObjectField(Thread, 'tags', (t) =>
  t.exposeStringList('tags', {
    description: `What the owner has filed the thread under, at most ${maximumTags} tags, in the owner's order. Whoever sees the thread sees them. The filter \`tag\` finds the threads of a tag.`,
  }),
);

const SetThreadTagsInput = builder.inputType('SetThreadTagsInput', {
  description: 'The tags of a thread.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the thread.' }),
    tags: t.stringList({
      required: true,
      description: `All tags that the thread shall have, at most ${maximumTags}, each of 1 to ${maximumTagLength} characters without commas and line breaks. White space around a tag is removed, and of two that differ only in case the first is kept. An empty list removes all tags.`,
    }),
  }),
});

builder.mutationField('setThreadTags', (t) =>
  t.field({
    type: Thread,
    description:
      'Replaces the tags of one of your threads. It does not move the thread in any list: `updatedAt` and `activeAt` stay.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, ...refusals] },
    args: { input: t.arg({ type: SetThreadTagsInput, required: true, description: 'The tags.' }) },
    resolve: async (_root, { input }, context, info) => {
      await setTags(context.database, context.viewer, { id: input.id, tags: input.tags });
      return loadThread(input.id, context, info);
    },
  }),
);

builder.queryField('threadTags', (t) =>
  t.stringList({
    description: `The tags of the threads that you may see, archived ones included, the most frequent first, at most ${maximumTagsInUse}. They are counted in the ${countedThreads.toLocaleString('en-US')} threads with tags that were active last.`,
    authScopes: { scope: 'threads:read' },
    resolve: (_root, _args, { database, viewer }) => readTagsInUse(database, viewer),
  }),
);
