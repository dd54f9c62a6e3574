/**
 * Pages of messages of a thread. A page is loaded by the statement that loads its thread, or all threads of a list;
 * only if `after` or `before` is the id of a message, its position is looked up first.
 */
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { builder, type Context } from '../../builder.js';
import { clampedPageSize, defaultPageSize } from '../../contract.js';
import { InvalidCursorError, MissingScopeError } from '../../errors.js';
import { type Selected, selectionOf } from '../fixed-selection.js';
import { isMessageRow } from '../message-row.js';
import { checkThread } from '../threads/read-thread.js';
import { Thread } from '../threads/schema.js';
import { isWhole } from '../whole-row.js';
import { endOfThread, findPosition, type MessageCursor, parseMessageCursor, startOfThread } from './message-cursor.js';
import { type Bounds, type PageArguments, pageLimit, pageQuery, toPage } from './message-page.js';
import { hasContents, loadPageContents } from './page-contents.js';
import { type MessagePage, readMessages, readWithContents } from './read-page.js';
import { Message } from './schema.js';

const MessageConnection = builder.connectionObject(
  { type: Message, name: 'MessageConnection', description: 'A page of messages.' },
  { name: 'MessageEdge', description: 'A message of the thread with its cursor.' },
);

/** The columns that an edge needs. */
const edge = { id: true, threadId: true, sequence: true } as const;

type MessageRow = { id: string; threadId: string; sequence: number };
type MessageSelect = typeof edge;
type MessageQuery = { select: MessageSelect };

/** The first messages, as many as fit into a page. */
async function withContents(context: Context, messages: readonly MessageRow[]): Promise<MessageRow[]> {
  if (messages.length === 0) return [];
  const ids = messages.map(({ id }) => id);
  const contents = await loadPageContents(context, ids);
  return messages
    .filter(({ id }) => contents.has(id))
    .map((message) => ({ ...message, contents: contents.get(message.id) }));
}

interface Cursors {
  after?: string | null | undefined;
  before?: string | null | undefined;
}

/** Parses the two cursors of a page; null for one that is neither a cursor nor an id. */
function cursorsOf({ after, before }: Cursors) {
  return {
    after: after == null ? startOfThread : parseMessageCursor(after),
    before: before == null ? endOfThread : parseMessageCursor(before),
  };
}

/** The positions of the cursors; null if one is an id or invalid. */
function knownBounds(args: Cursors): Bounds | null {
  const { after, before } = cursorsOf(args);
  if (!after || !before || 'messageId' in after || 'messageId' in before) return null;
  return { after: after.sequence, before: before.sequence };
}

/** Like `knownBounds`, but looks up ids. Throws an `InvalidCursorError`. */
async function findBounds(database: PrismaClient, args: Cursors & { threadId: string }): Promise<Bounds> {
  // Async, so that one that is refused leaves no lookup of the other whose failure nobody would handle.
  const find = async (cursor: MessageCursor | null) => {
    if (!cursor) throw new InvalidCursorError();
    if ('sequence' in cursor) return cursor.sequence;
    return findPosition(database, { threadId: args.threadId, messageId: cursor.messageId });
  };
  const cursors = cursorsOf(args);
  const [after, before] = await Promise.all([find(cursors.after), find(cursors.before)]);
  return { after, before };
}

builder.prismaObjectField(Thread, 'messages', (t) =>
  t.field({
    type: MessageConnection,
    description:
      'The messages of the thread, oldest first. To show the end of a conversation, use `last`, and `before` to page back.',
    authScopes: { scope: 'threads:read' },
    args: {
      first: t.arg.int({
        description: `Maximum number of messages, from the oldest on. Default: ${defaultPageSize}. ${clampedPageSize}`,
      }),
      after: t.arg.string({
        description: 'Return only messages after this cursor, or after the message with this id.',
      }),
      last: t.arg.int({
        description: `Maximum number of messages, from the newest back, still returned oldest first. Not together with \`first\`. ${clampedPageSize}`,
      }),
      before: t.arg.string({
        description:
          'Return only messages before this cursor, or before the message with this id; without `first`, the newest of them.',
      }),
      includeInactive: t.arg.boolean({
        description: 'Whether to include messages that a summary replaced. Default: false.',
      }),
    },
    select: (args, _context, nestedSelection) => {
      const bounds = knownBounds(args);
      const page = bounds ? pageQuery(bounds, args) : { take: 0 };
      const query: MessageQuery = nestedSelection({ select: edge, ...page }, ['edges', 'node'], 'Message');
      return { messages: query };
    },
    resolve: (thread, args, context, info) => showPage(thread, args, context, info),
  }),
);

type Arguments = PageArguments & Cursors;

/** The page of a thread that was read without its messages, or was not read at all (`graphql/whole-rows.ts`). */
export function messagesOfWholeThread(
  { id, isUnread = false }: { id: string; isUnread?: boolean },
  args: Arguments,
  context: Context,
  info: GraphQLResolveInfo,
) {
  if (!context.viewer.scopes.has('threads:read')) throw new MissingScopeError('threads:read');
  return showPage({ id, isUnread }, args, context, info);
}

/** Shows the messages that were loaded with the thread, or else reads them. */
async function showPage(
  thread: { id: string; messages?: readonly MessageRow[]; isUnread?: boolean },
  args: Arguments,
  context: Context,
  info: GraphQLResolveInfo,
) {
  const limit = pageLimit(args);
  const known = knownBounds(args);
  const path = ['edges', 'node'];
  const selected = selectionOf(info, {
    read: () => queryFromInfo({ context, info, typeName: 'Message', path, select: edge }).select,
    isWhole: isMessageRow,
  });
  const { database, viewer } = context;
  const showsContents = hasContents(selected.select);
  const isCheckedWithPage = known !== null && selected.isWhole && showsContents;
  if (thread.isUnread && !isCheckedWithPage) await checkThread(database, viewer, thread.id);
  const bounds = known ?? (await findBounds(database, { ...args, threadId: thread.id }));
  const checkedFor = thread.isUnread && isCheckedWithPage ? viewer : undefined;
  const read = () => readPage(context, { threadId: thread.id, checkedFor, bounds, args }, selected);
  const items = known && thread.messages ? thread.messages : await read();
  const isLoaded = !showsContents || items.every(isWhole);
  const fitting = isLoaded ? items : await withContents(context, items.slice(0, limit));
  const hasMore = items.length > Math.min(limit, fitting.length);
  return toPage(fitting.slice(0, limit), { bounds, args, hasMore });
}

/** Reads up to one message more than the page has. Those that are whole have their contents, if these are selected. */
async function readPage(
  context: Context,
  page: MessagePage,
  selected: Selected<MessageSelect>,
): Promise<readonly MessageRow[]> {
  const { select } = selected;
  if (selected.isWhole) {
    const { database } = context;
    const rows = hasContents(select) ? await readWithContents(context, page) : await readMessages(database, page);
    if (rows) return rows;
  }
  const { where, ...query } = pageQuery(page.bounds, page.args);
  return context.database.message.findMany({ ...query, select, where: { ...where, threadId: page.threadId } });
}
