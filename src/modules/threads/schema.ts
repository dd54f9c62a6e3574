/** Threads in the GraphQL schema. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../../builder.js';
import { type ThreadStateName, threadStates } from '../../contract.js';
import { NotFoundError } from '../../errors.js';
import { selectionOf, selectsOnly } from '../fixed-selection.js';
import { personType } from '../identity/person-type.js';
import { threadUrl } from '../links.js';
import { Node } from '../node-type.js';
import { readThread, unreadThread } from './read-thread.js';
import { isThreadWithMessages, threadColumns } from './thread-row.js';
import { visibleTo } from './visibility.js';

const stateDescriptions: Record<ThreadStateName, string> = {
  ready: 'The thread is idle and accepts messages.',
  waiting: 'A message is queued for the assistant.',
  active: 'The assistant is generating a response.',
  error:
    'Processing failed. The thread can be read but accepts no more messages; `continueThread` continues in a new thread.',
  interrupted: 'Generation was interrupted.',
};

export const ThreadState = builder.enumType('ThreadState', {
  description: 'The state of a thread.',
  values: Object.fromEntries(
    threadStates.map((state) => [state.toUpperCase(), { value: state, description: stateDescriptions[state] }]),
  ) as Record<Uppercase<ThreadStateName>, { value: ThreadStateName; description: string }>,
});

const ThreadOwner = personType(
  'ThreadOwner',
  'The user who created a thread, as visible to other members of the organization.',
);

export const Thread = builder.prismaObject('Thread', {
  description: 'A stored conversation with the assistant.',
  interfaces: [Node],
  select: threadColumns,
  fields: (t) => ({
    id: t.id({ description: 'The same id as in REST.', resolve: ({ id }) => id }),
    name: t.string({ nullable: true, description: 'Display name.', resolve: ({ name }) => name }),
    title: t.string({
      nullable: true,
      description:
        'What to call the thread: its name or, while it has none or a blank one, a short title that the model gave it after the first answer, and before that the beginning of the first message. Null for a thread that has none of these. REST returns only the name.',
      // It may be words of a message, which a token that may only write does not get for what it changes.
      authScopes: { scope: 'threads:read' },
      resolve: ({ name, generatedName, opening }) => (name?.trim() ? name : (generatedName ?? opening)),
    }),
    state: t.field({ type: ThreadState, description: 'State of the thread.', resolve: ({ state }) => state }),
    interruptReason: t.string({
      nullable: true,
      description: 'Why the thread is in state `INTERRUPTED`; null in every other state.',
      resolve: ({ interruptReason }) => interruptReason,
    }),
    isPrivate: t.boolean({
      description: 'Whether only the owner can see the thread.',
      resolve: ({ isPrivate }) => isPrivate,
    }),
    archived: t.boolean({ description: 'Whether the thread is archived.', resolve: ({ archived }) => archived }),
    branchVersion: t.int({
      description:
        'Changes whenever another branch of the conversation becomes the active one, by `editMessage`, `regenerateResponse` or `selectVariant`: read the messages again.',
      resolve: ({ branchVersion }) => branchVersion,
    }),
    owner: t.relation('owner', { type: ThreadOwner, description: 'The user who created the thread.' }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the thread was created.',
      resolve: ({ createdAt }) => createdAt,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description:
        'When a message was last added, a response last ended, or the thread was last changed. Its tags do not count.',
      resolve: ({ updatedAt }) => updatedAt,
    }),
    activeAt: t.field({
      type: 'DateTime',
      description:
        'When a message was last added, or a response last ended. Unlike `updatedAt`, it stays when the thread is renamed, archived, hidden or shown.',
      select: { activeAt: true },
      resolve: ({ activeAt, updatedAt }) => activeAt ?? updatedAt,
    }),
    appUrl: t.string({
      description: 'URL of the thread in the web application.',
      resolve: (thread, _args, context) => threadUrl(context.publicUrl, thread.id),
    }),
  }),
});

builder.queryField('thread', (t) =>
  t.field({
    type: Thread,
    description: 'A thread by its id. Fails with `NOT_FOUND` if it does not exist or you may not see it.',
    nullable: true,
    authScopes: { scope: 'threads:read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the thread.' }) },
    resolve: async (_root, { id }, context, info) => {
      const { database, viewer } = context;
      // It has nothing else, and nothing else of it is read.
      if (selectsOnly(info, 'messages')) return unreadThread(id) as never;
      const { select, isWhole } = selectionOf(info, {
        read: () => queryFromInfo({ context, info, typeName: 'Thread', select: threadColumns }).select,
        isWhole: isThreadWithMessages,
      });
      const thread = isWhole
        ? await readThread(database, viewer, id)
        : await database.thread.findFirst({ select, where: { id, AND: [visibleTo(viewer)] } });
      if (!thread) throw new NotFoundError('thread');
      return thread;
    },
  }),
);
