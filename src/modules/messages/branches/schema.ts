/** The mutations that edit a message, regenerate a response, and choose between the branches that result. */
import { builder } from '../../../builder.js';
import { statedLimit } from '../../../contract.js';
import { InvalidInputError, NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import { checkText } from '../../check-text.js';
import { checkModel } from '../../models/model-choice.js';
import { modelDescription } from '../../models/schema.js';
import { loadThread } from '../../threads/mutations.js';
import { Thread } from '../../threads/schema.js';
import { keyedRequest, once } from '../sending/idempotency.js';
import { PostedMessageType } from '../sending/posted-message-schema.js';
import { chosen, keyDescription, sendingErrors } from '../sending/schema.js';
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
    resolve: async (_root, { input }, { database, slots, viewer, models, source, countMessage, presence }) => {
      const { messageId, text, model = null, idempotencyKey: key = null } = input;
      if (text !== '') checkText([{ field: 'text', value: text, limit: 'message' }]);
      checkText([{ field: 'idempotencyKey', value: key, limit: 'key' }]);
      const body = { text, ...chosen(model) };
      const request = keyedRequest(viewer, `editMessage ${messageId}`, { key, body, span: source.span, slots });
      const send = async () => {
        checkModel(models, model);
        return sendVariant(database, request, { messageId, text, model });
      };
      const posted = await once(database, request, () => countMessage(send));
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
    resolve: async (_root, { input }, { database, slots, viewer, models, source, countMessage }) => {
      const { messageId, model = null, idempotencyKey: key = null } = input;
      checkText([{ field: 'idempotencyKey', value: key, limit: 'key' }]);
      const operation = `regenerateResponse ${messageId}`;
      const request = keyedRequest(viewer, operation, { key, body: chosen(model), span: source.span, slots });
      const send = async () => {
        checkModel(models, model);
        return sendVariant(database, request, { messageId, text: null, model });
      };
      return once(database, request, () => countMessage(send));
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
