/** The list of threads in the graph: a connection over all that the viewer may see, and where a search has found each of them. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../../builder.js';
import { checkText } from '../check-text.js';
import { appliedLimit, toConnection } from '../paging.js';
import { findMatches, type ThreadMatch } from './find-matches.js';
import { resolveAfter } from './list-position.js';
import type { ThreadOrder } from './list-threads.js';
import { loadPage } from './load-page.js';
import { ThreadMatchType } from './match-schema.js';
import { Thread } from './schema.js';
import { encodeThreadCursor } from './thread-cursor.js';
import { visibleTo } from './visibility.js';

const ThreadFilterInput = builder.inputType('ThreadFilter', {
  description: 'Which threads to list; all conditions that are given must hold.',
  fields: (t) => ({
    owned: t.boolean({ description: 'True: only your own. False: only those of others.' }),
    private: t.boolean({ description: 'True: only private ones. False: only public ones.' }),
    archived: t.boolean({ description: 'True: archived ones too.' }),
    onlyArchived: t.boolean({ description: 'True: only archived ones, whatever `archived` says.' }),
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

/** The same promise for everybody who asks; nothing is done before the first does. */
function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

interface Edge {
  node: typeof Thread.$inferType;
  cursor: string;
  /** Those of all edges of a page are found together, once one of them is asked for. */
  findMatch: () => Promise<ThreadMatch | null>;
}

const ThreadEdge = builder.objectRef<Edge>('ThreadEdge').implement({
  description: 'A thread in a list.',
  fields: (t) => ({
    node: t.expose('node', { type: Thread, description: 'The thread.' }),
    cursor: t.exposeString('cursor', {
      description: 'Position of the item, for `after`. Opaque; it does not expire.',
    }),
    match: t.field({
      type: ThreadMatchType,
      nullable: true,
      description: 'Where the search has found the thread; null where `filter.q` searches for nothing.',
      resolve: ({ findMatch }) => findMatch(),
    }),
  }),
});

const ThreadConnection = builder.connectionObject(
  { type: Thread, name: 'ThreadConnection', description: 'A page of threads.' },
  ThreadEdge,
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
      const search = { q: args.filter?.q ?? '', threadIds: items.map(({ thread }) => thread.id) };
      const findAll = once(() => findMatches(database, viewer, search));
      const edges = items.map(({ thread, cursor }) => ({
        node: thread,
        cursor: encodeThreadCursor(cursor),
        findMatch: async () => (await findAll()).get(thread.id) ?? null,
      }));
      return toConnection({ edges, hasNextPage, hasPreviousPage: after !== null });
    },
  }),
);
