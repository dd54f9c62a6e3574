/**
 * The messages of a thread, page by page. A page is loaded by the statement that loads its thread, or all threads of a list;
 * only where a page starts after the id of a message, the position of that one is looked up first.
 */
import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../../builder.js';
import { InvalidCursorError } from '../../errors.js';
import { appliedLimit, clampedLimit, toConnection } from '../paging.js';
import { Thread } from '../threads/schema.js';
import { encodeMessageCursor, findPosition, parseMessageCursor } from './message-cursor.js';
import { Message } from './schema.js';

const MessageConnection = builder.connectionObject(
  { type: Message, name: 'MessageConnection', description: 'A page of messages.' },
  { name: 'MessageEdge', description: 'A message in its thread.' },
);

/** What an edge needs of its message. */
const edge = { id: true, threadId: true, sequence: true } as const;

interface PageArguments {
  first?: number | null | undefined;
  includeInactive?: boolean | null | undefined;
}

/** The messages after a position: one more than the page holds, so that its end is known. */
function pageAfter(sequence: number, { first, includeInactive }: PageArguments) {
  const where = { ...(includeInactive ? {} : { active: true }), sequence: { gt: sequence } };
  return { where, orderBy: { sequence: 'asc' as const }, take: clampedLimit(first) + 1 };
}

builder.prismaObjectField(Thread, 'messages', (t) =>
  t.field({
    type: MessageConnection,
    description: 'The messages of the thread, oldest first.',
    authScopes: { scope: 'threads:read' },
    args: {
      first: t.arg.int({ description: 'How many at most: 50 where it is left out, 200 at the most.' }),
      after: t.arg.string({ description: 'Go on after this cursor, or after the message with this id.' }),
      includeInactive: t.arg.boolean({ description: 'True: also the messages that a summary replaced.' }),
    },
    select: (args, _context, nestedSelection) => {
      const cursor = parseMessageCursor(args.after);
      const page = cursor && 'sequence' in cursor ? pageAfter(cursor.sequence, args) : { take: 0 };
      return { messages: nestedSelection({ select: edge, ...page }, ['edges', 'node'], 'Message') };
    },
    resolve: async (thread, args, context, info) => {
      const limit = appliedLimit(args.first);
      const cursor = parseMessageCursor(args.after);
      if (!cursor) throw new InvalidCursorError();
      const { database } = context;
      const loadAfter = async ({ messageId }: { messageId: string }) => {
        const sequence = await findPosition(database, { threadId: thread.id, messageId });
        const { select } = queryFromInfo({ context, info, typeName: 'Message', path: ['edges', 'node'], select: edge });
        const page = pageAfter(sequence, args);
        return database.message.findMany({ ...page, select, where: { ...page.where, threadId: thread.id } });
      };
      const items = 'sequence' in cursor ? thread.messages : await loadAfter(cursor);
      const edges = items.slice(0, limit).map((node) => ({ node, cursor: encodeMessageCursor(node.sequence) }));
      const hasPreviousPage = !('sequence' in cursor && cursor.sequence === 0);
      return toConnection({ edges, hasNextPage: items.length > limit, hasPreviousPage });
    },
  }),
);
