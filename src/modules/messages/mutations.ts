/** The two mutations by which a user speaks. */
import { builder, ErrorInterface } from '../../builder.js';
import { InvalidInputError, NotFoundError, ThreadNotReadyError } from '../../errors.js';
import { checkText } from '../check-text.js';
import { ThreadState } from '../threads/schema.js';
import { createThread, type PostedMessage, sendMessage } from './post-message.js';

builder.objectType(ThreadNotReadyError, {
  name: 'ThreadNotReadyError',
  description: 'The thread accepts no message in its present state.',
  interfaces: [ErrorInterface],
  fields: (t) => ({ state: t.expose('state', { type: ThreadState, description: 'The present state of the thread.' }) }),
});

const PostedMessageType = builder.objectRef<PostedMessage>('PostedMessage').implement({
  description: 'The message was accepted, and its response is queued.',
  fields: (t) => ({
    threadId: t.exposeID('threadId', { description: 'Id of the thread.' }),
    messageId: t.exposeID('messageId', {
      description: 'Id of the new message; its response can be polled and followed.',
    }),
  }),
});

const CreateThreadInput = builder.inputType('CreateThreadInput', {
  description: 'A new thread.',
  fields: (t) => ({
    text: t.string({ required: true, description: 'The first message, 1 to 100,000 characters.' }),
    name: t.string({ description: 'Display name, at most 255 characters.' }),
    isPrivate: t.boolean({ description: 'True: only you see the thread. Default: false.' }),
  }),
});

builder.mutationField('createThread', (t) =>
  t.field({
    type: PostedMessageType,
    description: 'Creates a thread with its first message, which starts the assistant.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError] },
    args: { input: t.arg({ type: CreateThreadInput, required: true, description: 'The new thread.' }) },
    resolve: async (_root, { input }, { database, viewer, wakeWorker }) => {
      checkText([
        { field: 'text', value: input.text, limit: 'message' },
        { field: 'name', value: input.name, limit: 'name' },
      ]);
      const thread = { text: input.text, name: input.name ?? null, isPrivate: input.isPrivate ?? false };
      const posted = await createThread(database, viewer, thread);
      wakeWorker();
      return posted;
    },
  }),
);

const SendMessageInput = builder.inputType('SendMessageInput', {
  description: 'A message to an existing thread.',
  fields: (t) => ({
    threadId: t.id({ required: true, description: 'Id of the thread.' }),
    text: t.string({ required: true, description: 'What to say, 1 to 100,000 characters.' }),
  }),
});

builder.mutationField('sendMessage', (t) =>
  t.field({
    type: PostedMessageType,
    description: 'Sends a message to a thread that is `READY`, which starts the assistant.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, NotFoundError, ThreadNotReadyError] },
    args: { input: t.arg({ type: SendMessageInput, required: true, description: 'The message.' }) },
    resolve: async (_root, { input }, { database, viewer, wakeWorker }) => {
      checkText([{ field: 'text', value: input.text, limit: 'message' }]);
      const posted = await sendMessage(database, viewer, input);
      wakeWorker();
      return posted;
    },
  }),
);
