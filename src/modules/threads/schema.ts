/** Threads in the graph: the object, and one thread by id. */
import { builder } from '../../builder.js';
import { NotFoundError } from '../../errors.js';
import { threadUrl } from '../links.js';
import { Node } from '../node-type.js';
import { type ThreadStateName, threadStates } from './state.js';
import { visibleTo } from './visibility.js';

const stateDescriptions: Record<ThreadStateName, string> = {
  ready: 'Idle; accepts new messages.',
  waiting: 'A message is queued and awaits the assistant.',
  active: 'The assistant is generating a response.',
  error:
    'Processing failed. The thread can be read, and accepts no more messages; `continueThread` goes on in a new one.',
  interrupted: 'Generation was interrupted.',
};

export const ThreadState = builder.enumType('ThreadState', {
  description: 'What a thread is doing.',
  values: Object.fromEntries(
    threadStates.map((state) => [state.toUpperCase(), { value: state, description: stateDescriptions[state] }]),
  ) as Record<Uppercase<ThreadStateName>, { value: ThreadStateName; description: string }>,
});

const ThreadOwner = builder.prismaObject('User', {
  variant: 'ThreadOwner',
  description: 'The user who created a thread, as other members of the organization see them.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Equal to the `sub` of that user.' }),
    name: t.exposeString('name', { nullable: true, description: 'Display name.' }),
  }),
});

export const Thread = builder.prismaObject('Thread', {
  description: 'A persistent conversation with the assistant.',
  interfaces: [Node],
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The same id as in REST.' }),
    name: t.exposeString('name', { nullable: true, description: 'Display name.' }),
    state: t.expose('state', { type: ThreadState, description: 'What the thread is doing.' }),
    interruptReason: t.exposeString('interruptReason', {
      nullable: true,
      description: 'Why the thread is `INTERRUPTED`; null in every other state.',
    }),
    isPrivate: t.exposeBoolean('isPrivate', { description: 'True where only the owner sees the thread.' }),
    archived: t.exposeBoolean('archived', { description: 'True where the thread was put away.' }),
    owner: t.relation('owner', { type: ThreadOwner, description: 'The user who created the thread.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the thread was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When a message was last added, a response ended, or the thread was changed.',
    }),
    appUrl: t.string({
      description: 'Where the thread opens in the web application.',
      resolve: (thread, _args, context) => threadUrl(context.publicUrl, thread.id),
    }),
  }),
});

builder.queryField('thread', (t) =>
  t.prismaField({
    type: Thread,
    description: 'One thread by its id. The error `NOT_FOUND` also stands for one that you may not see.',
    nullable: true,
    authScopes: { scope: 'threads:read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the thread.' }) },
    resolve: async (query, _root, { id }, { database, viewer }) => {
      const thread = await database.thread.findFirst({ ...query, where: { id, AND: [visibleTo(viewer)] } });
      if (!thread) throw new NotFoundError('thread');
      return thread;
    },
  }),
);
