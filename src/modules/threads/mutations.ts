/** The mutations with which owners rename and archive a thread and change its visibility. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { builder, type Context } from '../../builder.js';
import { statedLimit } from '../../contract.js';
import { InvalidInputError, NotFoundError, NotOwnerError } from '../../errors.js';
import { checkText } from '../check-text.js';
import { changeThread, type ThreadChange } from './change-thread.js';
import { Thread } from './schema.js';
import { threadColumns } from './thread-row.js';
import { visibleTo } from './visibility.js';

export const refusals = [NotFoundError, NotOwnerError];

/** Makes the change and loads the thread afterwards. */
export async function changed(change: ThreadChange, context: Context, info: GraphQLResolveInfo) {
  await changeThread(context.database, context.viewer, change);
  return loadThread(change.id, context, info);
}

/** Loads a thread that the viewer has just changed. Throws a `NotFoundError` if it was deleted or made private since. */
export async function loadThread(id: string, context: Context, info: GraphQLResolveInfo) {
  const { database, viewer } = context;
  const { select } = queryFromInfo({ context, info, typeName: 'Thread', select: threadColumns });
  const thread = await database.thread.findFirst({ select, where: { id, AND: [visibleTo(viewer)] } });
  if (!thread) throw new NotFoundError('thread');
  return thread;
}

const RenameThreadInput = builder.inputType('RenameThreadInput', {
  description: 'A new name for a thread.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the thread.' }),
    name: t.string({
      description: `Display name, ${statedLimit('name')}. An explicit \`null\` removes it.`,
    }),
  }),
});

builder.mutationField('renameThread', (t) =>
  t.field({
    type: Thread,
    description: 'Renames one of your threads, or removes its name.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, ...refusals] },
    args: { input: t.arg({ type: RenameThreadInput, required: true, description: 'The new name.' }) },
    resolve: (_root, { input: { id, name } }, context, info) => {
      // A forgotten variable must not remove the name.
      if (name === undefined)
        throw new InvalidInputError([{ field: 'name', message: 'is required; pass null to remove the name' }]);
      checkText([{ field: 'name', value: name, limit: 'name' }]);
      return changed({ id, field: 'name', value: name }, context, info);
    },
  }),
);

builder.mutationField('archiveThread', (t) =>
  t.field({
    type: Thread,
    description: 'Archives one of your threads. Lists omit archived threads unless a filter includes them.',
    authScopes: { scope: 'threads:write' },
    errors: { types: refusals },
    args: { id: t.arg.id({ required: true, description: 'Id of the thread.' }) },
    resolve: (_root, { id }, context, info) => changed({ id, field: 'archived', value: true }, context, info),
  }),
);

builder.mutationField('unarchiveThread', (t) =>
  t.field({
    type: Thread,
    description: 'Unarchives one of your threads, so that lists include it again.',
    authScopes: { scope: 'threads:write' },
    errors: { types: refusals },
    args: { id: t.arg.id({ required: true, description: 'Id of the thread.' }) },
    resolve: (_root, { id }, context, info) => changed({ id, field: 'archived', value: false }, context, info),
  }),
);

const SetThreadPrivacyInput = builder.inputType('SetThreadPrivacyInput', {
  description: 'The visibility of a thread.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the thread.' }),
    isPrivate: t.boolean({
      required: true,
      description: 'Whether only you can see the thread (true) or your whole organization (false).',
    }),
  }),
});

builder.mutationField('setThreadPrivacy', (t) =>
  t.field({
    type: Thread,
    description: 'Makes one of your threads private, or visible to your organization, with immediate effect.',
    authScopes: { scope: 'threads:write' },
    errors: { types: refusals },
    args: { input: t.arg({ type: SetThreadPrivacyInput, required: true, description: 'Who sees the thread.' }) },
    resolve: async (_root, { input: { id, isPrivate } }, context, info) => {
      const thread = await changed({ id, field: 'isPrivate', value: isPrivate }, context, info);
      if (isPrivate) context.tokenLog.endAccess(id);
      return thread;
    },
  }),
);
