/** Threads in the graph: the object, one thread by id, and the connection over all that the viewer may see. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../../builder.js';
import { NotFoundError } from '../../errors.js';
import { checkText } from '../check-text.js';
import { threadUrl } from '../links.js';
import { Node } from '../node-type.js';
import { appliedLimit, toConnection } from '../paging.js';
import { resolveAfter } from './list-position.js';
import type { ThreadOrder } from './list-threads.js';
import { loadPage } from './load-page.js';
import { type ThreadStateName, threadStates } from './state.js';
import { encodeThreadCursor } from './thread-cursor.js';
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

const ThreadFilterInput = builder.inputType('ThreadFilter', {
  description: 'Which threads to list; all conditions that are given must hold.',
  fields: (t) => ({
    owned: t.boolean({ description: 'True: only your own. False: only those of others.' }),
    private: t.boolean({ description: 'True: only private ones. False: only public ones.' }),
    archived: t.boolean({ description: 'True: archived ones too.' }),
    q: t.string({
      description: 'Words in the name or in a message; web-search syntax, the last word matches as a prefix.',
    }),
    updatedSince: t.field({ type: 'DateTime', description: 'Only threads updated after this moment.' }),
  }),
});

const ThreadOrderField = builder.enumType('ThreadOrderField', {
  description: 'What threads are sorted by.',
  values: {
    UPDATED_AT: { value: 'updated_at', description: 'By the last update.' },
    CREATED_AT: { value: 'created_at', description: 'By creation.' },
  } as const,
});

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Which end of a list comes first.',
  values: {
    ASC: { value: 'asc', description: 'Oldest first.' },
    DESC: { value: 'desc', description: 'Newest first.' },
  } as const,
});

const ThreadOrderInput = builder.inputType('ThreadOrder', {
  description: 'How to sort threads. Keep the order for all pages of one walk.',
  fields: (t) => ({
    field: t.field({
      type: ThreadOrderField,
      required: true,
      defaultValue: 'updated_at',
      description: 'What to sort by.',
    }),
    direction: t.field({ type: OrderDirection, required: true, defaultValue: 'desc', description: 'Which end first.' }),
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

const ThreadConnection = builder.connectionObject(
  { type: Thread, name: 'ThreadConnection', description: 'A page of threads.' },
  { name: 'ThreadEdge', description: 'A thread in a list.' },
);

builder.queryField('threads', (t) =>
  t.field({
    type: ThreadConnection,
    description: 'The threads that you may see.',
    authScopes: { scope: 'threads:read' },
    args: {
      first: t.arg.int({ description: 'How many at most: 50 where it is left out, 200 at the most.' }),
      after: t.arg.string({ description: 'Go on after this cursor, or after the thread with this id.' }),
      filter: t.arg({ type: ThreadFilterInput, description: 'Which threads; without it, all but archived ones.' }),
      orderBy: t.arg({ type: ThreadOrderInput, description: 'Without it, the last updated first.' }),
      remember: t.arg.boolean({
        description: 'Remember where this page ends, so that the id of its last thread works as `after`, for ever.',
      }),
    },
    resolve: async (_root, args, context, info) => {
      const { database, viewer } = context;
      checkText([{ field: 'filter.q', value: args.filter?.q, limit: 'search' }]);
      const limit = appliedLimit(args.first);
      const order: ThreadOrder = args.orderBy ?? { field: 'updated_at', direction: 'desc' };
      const after = args.after == null ? null : await resolveAfter(database, viewer, { after: args.after, order });
      const { select } = queryFromInfo({
        context,
        info,
        typeName: 'Thread',
        path: ['edges', 'node'],
        select: { id: true },
      });
      const request = { viewer, filter: args.filter ?? {}, order, after, limit, remember: args.remember ?? false };
      const { items, hasNextPage } = await loadPage(database, request, (ids) =>
        database.thread.findMany({ select, where: { id: { in: ids }, AND: [visibleTo(viewer)] } }),
      );
      const edges = items.map(({ thread, cursor }) => ({ node: thread, cursor: encodeThreadCursor(cursor) }));
      return toConnection({ edges, hasNextPage, hasPreviousPage: after !== null });
    },
  }),
);
