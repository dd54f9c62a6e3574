/** The mutations that edit a message, regenerate a response, and choose between the branches that result. */
import { builder } from '../../../builder.js';
import { statedLimit } from '../../../contract.js';
import { InvalidInputError, NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import { modelDescription } from '../../models/schema.js';
import { loadThread } from '../../threads/mutations.js';
import { Thread } from '../../threads/schema.js';
import { PostedMessageType } from '../sending/posted-message-schema.js';
import { keyDescription, sendingErrors } from '../sending/schema.js';
import { sendOnce } from '../sending/send-once.js';
import { selectVariant } from './select-variant.js';
import { sendVariant } from './send-variant.js';

const branches =
  'The thread must be `READY` or `INTERRUPTED`. The earlier variant is put aside with all messages that follow it; `selectVariant` brings them back.';

const EditMessageInput = builder.inputType('EditMessageInput', {
  description: 'Another text for a message.',
  fields: (t) => ({
    messageId: t.id({ required: true, description: 'Id of a user message of the active conversation.' }),
    text: t.string({
      required: true,
      description: `The new text, ${statedLimit('message')}; of a message with attachments, which are kept, it may also be empty.`,
    }),
    model: t.id({ description: modelDescription }),
    idempotencyKey: t.string({ description: keyDescription }),
  }),
});

builder.mutationField('editMessage', (t) =>
  t.field({
    type: PostedMessageType,
    description: `Sends another variant of a user message, with a new text, and queues a response to it. ${branches}`,
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, NotFoundError, ThreadNotReadyError, ...sendingErrors] },
    args: { input: t.arg({ type: EditMessageInput, required: true, description: 'The new text.' }) },
    resolve: async (_root, { input }, context) => {
      const { database, viewer, presence } = context;
      const { messageId, text, model = null, idempotencyKey: key } = input;
      const texts = text === '' ? [] : [{ field: 'text', value: text, limit: 'message' } as const];
      const sending = { operation: `editMessage ${messageId}`, key, texts, body: { text }, model };
      const posted = await sendOnce(context, sending, (request) =>
        sendVariant(database, request, { messageId, text, model }),
      );
      presence.endWriting({ threadId: posted.threadId, userId: viewer.userId });
      return posted;
    },
  }),
);

const RegenerateResponseInput = builder.inputType('RegenerateResponseInput', {
  description: 'A message to answer once more.',
  fields: (t) => ({
    messageId: t.id({ required: true, description: 'Id of a user message of the active conversation.' }),
    model: t.id({ description: modelDescription }),
    idempotencyKey: t.string({ description: keyDescription }),
  }),
});

builder.mutationField('regenerateResponse', (t) =>
  t.field({
    type: PostedMessageType,
    description: `Sends a user message once more, as another variant with the same author, text and attachments, and queues a new response to it. ${branches}`,
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, NotFoundError, ThreadNotReadyError, ...sendingErrors] },
    args: { input: t.arg({ type: RegenerateResponseInput, required: true, description: 'The message.' }) },
    resolve: (_root, { input }, context) => {
      const { messageId, model = null, idempotencyKey: key } = input;
      return sendOnce(context, { operation: `regenerateResponse ${messageId}`, key, body: {}, model }, (request) =>
        sendVariant(context.database, request, { messageId, text: null, model }),
      );
    },
  }),
);

builder.mutationField('selectVariant', (t) =>
  t.field({
    type: Thread,
    description:
      'Makes a variant of a user message part of the active conversation, with the messages that followed it when it was put aside. The thread must be `READY` or `INTERRUPTED`, and is `READY` afterwards. Selecting the variant that is active changes nothing.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, NotFoundError, ThreadNotReadyError] },
    args: { messageId: t.arg.id({ required: true, description: 'Id of the variant.' }) },
    resolve: async (_root, { messageId }, context, info) => {
      const id = await selectVariant(context.database, context.viewer, messageId);
      return loadThread(id, context, info);
    },
  }),
);
