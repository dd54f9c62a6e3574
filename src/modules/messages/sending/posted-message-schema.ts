/** The result of mutations that send a message: the message, its thread, and whether an earlier request sent it. */
import { builder } from '../../../builder.js';
import { NotFoundError } from '../../../errors.js';
import { Thread } from '../../threads/schema.js';
import { visibleTo } from '../../threads/visibility.js';
import { Message } from '../schema.js';
import type { PostedMessage } from './posted-message.js';

export const PostedMessageType = builder.objectRef<PostedMessage & { replayed: boolean }>('PostedMessage').implement({
  description: 'The message was accepted, and its response is queued.',
  fields: (t) => ({
    threadId: t.exposeID('threadId', { description: 'Id of the thread.' }),
    messageId: t.exposeID('messageId', {
      description: 'Id of the new message, to poll or stream its response.',
    }),
    thread: t.prismaField({
      type: Thread,
      description:
        'The thread in its present state. Fails with `NOT_FOUND` if it has been deleted or made private since; the message was accepted nevertheless.',
      authScopes: { scope: 'threads:read' },
      resolve: async (query, { threadId }, _args, { database, viewer }) => {
        const where = { id: threadId, AND: [visibleTo(viewer)] };
        const thread = await database.thread.findFirst({ ...query, where });
        if (!thread) throw new NotFoundError('thread');
        return thread;
      },
    }),
    // Not named `message`, because the error types of the same unions have a field of that name.
    userMessage: t.prismaField({
      type: Message,
      description:
        'The new message. Fails with `NOT_FOUND` in the same case as `thread`, or if another branch of the conversation has been selected since.',
      authScopes: { scope: 'threads:read' },
      resolve: async (query, { messageId }, _args, { database, viewer }) => {
        const where = { id: messageId, hiddenWithId: null, thread: visibleTo(viewer) };
        const message = await database.message.findFirst({ ...query, where });
        if (!message) throw new NotFoundError('message');
        return message;
      },
    }),
    replayed: t.exposeBoolean('replayed', {
      description: 'Whether an earlier request with the same idempotency key sent the message.',
    }),
  }),
});
