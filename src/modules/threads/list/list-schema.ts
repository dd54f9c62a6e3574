/** The list of threads in the GraphQL schema, with where a search found each of them. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder, type Context } from '../../../builder.js';
import { clampedPageSize, defaultPageSize, defaultThreadOrder, statedLimit } from '../../../contract.js';
import { checkText } from '../../check-text.js';
import { type Selected, selectionOf } from '../../fixed-selection.js';
import { appliedLimit, toConnection } from '../../paging.js';
import { Thread } from '../schema.js';
import { isThreadRow, threadColumns } from '../thread-row.js';
import { visibleTo } from '../visibility.js';
import { findMatches, type ThreadMatch } from './find-matches.js';
import { resolveAfter } from './list-position.js';
import type { ThreadOrder } from './list-threads.js';
import { readListedThreads } from './listed-threads.js';
import { isSearch, loadPage, type PageItem, type ReadThreads, readById } from './load-page.js';
import { ThreadMatchType } from './match-schema.js';
import { encodeThreadCursor, type ThreadCursor } from './thread-cursor.js';

const ThreadFilterInput = builder.inputType('ThreadFilter', {
  description: 'Conditions on threads. A thread must meet all that are given.',
  fields: (t) => ({
    owned: t.boolean({ description: 'Return only your own threads (true) or only those of others (false).' }),
    ownerId: t.id({ description: 'Return only threads of the user with this id.' }),
    private: t.boolean({ description: 'Return only private threads (true) or only public ones (false).' }),
    archived: t.boolean({ description: 'Whether to include archived threads. Default: false.' }),
    onlyArchived: t.boolean({
      description: 'Whether to return only archived threads; overrides `archived`. Default: false.',
    }),
    q: t.string({
      description: `Full-text search in names, titles that the model gave, and messages, in web-search syntax, ${statedLimit('search')}. The last word matches as a prefix.`,
    }),
    pinned: t.boolean({
      description: 'Return only threads that you have pinned (true) or only those that you have not (false).',
    }),
    tag: t.string({
      description: 'Return only threads with this tag, whatever its case. A text that cannot be a tag finds none.',
    }),
    updatedSince: t.field({ type: 'DateTime', description: 'Return only threads updated after this time.' }),
  }),
});

const ThreadOrderField = builder.enumType('ThreadOrderField', {
  description: 'The field to sort threads by.',
  values: {
    UPDATED_AT: { value: 'updated_at', description: 'Time of the last update.' },
    CREATED_AT: { value: 'created_at', description: 'Time of creation.' },
    ACTIVE_AT: {
      value: 'active_at',
      description:
        'Time of the last activity, as in `Thread.activeAt`. A thread that becomes active while you page moves, and may be missing from the pages that follow: follow `threadsChanged` as well.',
    },
  } as const,
});

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of sorting.',
  values: {
    ASC: { value: 'asc', description: 'Oldest first.' },
    DESC: { value: 'desc', description: 'Newest first.' },
  } as const,
});

const ThreadOrderInput = builder.inputType('ThreadOrder', {
  description: 'How to sort threads. Use the same order for all pages of a list.',
  fields: (t) => ({
    field: t.field({
      type: ThreadOrderField,
      required: true,
      defaultValue: defaultThreadOrder.field,
      description: 'Field to sort by.',
    }),
    direction: t.field({
      type: OrderDirection,
      required: true,
      defaultValue: defaultThreadOrder.direction,
      description: 'Direction of sorting.',
    }),
  }),
});

type Node = typeof Thread.$inferType;

/** Loads on first use, and returns the same promise from then on. */
function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

/** The matches of a page, which are loaded together when one is selected. */
type FindMatches = () => Promise<Map<string, ThreadMatch>>;

class Edge {
  readonly node: Node;
  readonly #place: ThreadCursor;
  readonly #findMatches: FindMatches;

  constructor({ thread, cursor }: PageItem<Node>, findMatches: FindMatches) {
    this.node = thread;
    this.#place = cursor;
    this.#findMatches = findMatches;
  }

  /** Encoded for those who ask: fifty take a tenth of the time of a page. */
  get cursor(): string {
    return encodeThreadCursor(this.#place);
  }

  async findMatch(): Promise<ThreadMatch | null> {
    return (await this.#findMatches()).get(this.node.id) ?? null;
  }
}

const ThreadEdge = builder.objectRef<Edge>('ThreadEdge').implement({
  description: 'A thread of the list with its cursor.',
  fields: (t) => ({
    node: t.expose('node', { type: Thread, description: 'The thread.' }),
    cursor: t.exposeString('cursor', {
      description: 'Cursor of the item, for `after`. It is opaque and never expires.',
    }),
    match: t.field({
      type: ThreadMatchType,
      nullable: true,
      description: 'Where the search found the thread; null without a search in `filter.q`.',
      resolve: (edge) => edge.findMatch(),
    }),
  }),
});

/** A connection of the Relay specification, with one field more. */
const ThreadConnection = builder
  .objectRef<ReturnType<typeof toConnection> & { edges: Edge[]; endId: string | null }>('ThreadConnection')
  .implement({
    description:
      'A page of threads. The page of a search may end before it is full, even without any thread: then `hasNextPage` is true, and the next page goes on where the search stopped.',
    fields: (t) => ({
      edges: t.expose('edges', { type: [ThreadEdge], description: 'The items of the page, each with its cursor.' }),
      pageInfo: t.expose('pageInfo', {
        type: builder.pageInfoRef(),
        description: 'Position of this page in the list.',
      }),
      endId: t.exposeID('endId', {
        nullable: true,
        description:
          'The id of the last thread of the page or, if a search ended it without any, of the last thread that the search examined. With `remember`, it works as `after` like `endCursor`. Null if the page is empty and no further one follows.',
      }),
    }),
  });

function readerOf(
  { database, viewer }: Pick<Context, 'database' | 'viewer'>,
  { select, isWhole }: Selected<typeof threadColumns>,
  hasSearch: boolean,
): ReadThreads<Node> {
  if (isWhole && !hasSearch) return (options) => readListedThreads(database, options);
  return readById(database, (ids) =>
    database.thread.findMany({ select, where: { id: { in: ids }, AND: [visibleTo(viewer)] } }),
  );
}

builder.queryField('threads', (t) =>
  t.field({
    type: ThreadConnection,
    description: 'The threads that you may see.',
    authScopes: { scope: 'threads:read' },
    args: {
      first: t.arg.int({ description: `Maximum number of items. Default: ${defaultPageSize}. ${clampedPageSize}` }),
      after: t.arg.string({ description: 'Return only threads after this cursor, or after the thread with this id.' }),
      filter: t.arg({
        type: ThreadFilterInput,
        description: 'Which threads to return. Default: all that are not archived.',
      }),
      orderBy: t.arg({ type: ThreadOrderInput, description: 'Sort order. Default: the last updated first.' }),
      remember: t.arg.boolean({
        description: 'Whether to store where this page ends, so that `endId` can be used as `after` at any later time.',
      }),
    },
    resolve: async (_root, args, context, info) => {
      const { database, viewer } = context;
      checkText([{ field: 'filter.q', value: args.filter?.q, limit: 'search' }]);
      const limit = appliedLimit(args.first);
      const order: ThreadOrder = args.orderBy ?? defaultThreadOrder;
      const after = args.after == null ? null : await resolveAfter(database, viewer, { after: args.after, order });
      const path = ['edges', 'node'];
      const selected = selectionOf(info, {
        read: () => queryFromInfo({ context, info, typeName: 'Thread', path, select: threadColumns }).select,
        isWhole: isThreadRow,
      });
      const request = { viewer, filter: args.filter ?? {}, order, after, limit, remember: args.remember ?? false };
      const { items, hasNextPage, end } = await loadPage(
        database,
        request,
        readerOf(context, selected, isSearch(request)),
      );
      const search = { q: args.filter?.q ?? '', threadIds: items.map(({ thread }) => thread.id) };
      const findAll = once(() => findMatches(database, viewer, search));
      const edges = items.map((item) => new Edge(item, findAll));
      const endCursor = end && encodeThreadCursor(end);
      const connection = toConnection({ edges, hasNextPage, hasPreviousPage: after !== null, endCursor });
      return { ...connection, edges, endId: items.at(-1)?.thread.id ?? end?.id ?? null };
    },
  }),
);
