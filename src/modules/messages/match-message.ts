/** The message in which a search found a thread. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../../builder.js';
import { ThreadMatchType } from '../threads/list/match-schema.js';
import { isVisibleTo } from '../threads/visibility.js';
import { Message } from './schema.js';

const known = { id: true, threadId: true } as const;
const thread = { select: { id: true, organizationId: true, ownerId: true, isPrivate: true } } as const;

builder.objectField(ThreadMatchType, 'message', (t) =>
  t.field({
    type: Message,
    nullable: true,
    description: 'The newest matching message; null if the name or the title of the thread matches.',
    resolve: async ({ messageId: id, threadId }, _args, context, info) => {
      if (id === null) return null;
      const { select: asked } = queryFromInfo({ context, info, typeName: 'Message', select: known });
      // The search result suffices for a link to the message.
      if (Object.keys(asked).every((name) => name in known)) return { id, threadId };
      const { select } = queryFromInfo({ context, info, typeName: 'Message', select: { ...known, thread } });
      // All threads of a page share one statement, which can have no condition but ids.
      const message = await context.database.message.findUnique({ where: { id }, select });
      return message && isVisibleTo(context.viewer, message.thread) ? message : null;
    },
  }),
);
