/** The mutation that continues a thread in a new one. */
import { builder } from '../../../builder.js';
import { statedLimit } from '../../../contract.js';
import { InvalidInputError, NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import { continueThread } from './continue-thread.js';
import { PostedMessageType } from './posted-message-schema.js';
import { keyDescription, sendingErrors } from './schema.js';
import { sendOnce } from './send-once.js';

const ContinueThreadInput = builder.inputType('ContinueThreadInput', {
  description: 'A new thread that continues an earlier one.',
  fields: (t) => ({
    threadId: t.id({ required: true, description: 'Id of the earlier thread. It is not changed.' }),
    text: t.string({
      description: `Text of the first message of the new thread, ${statedLimit('message')}. Default: the message whose response failed in the earlier thread is sent again, with its attachments.`,
    }),
    name: t.string({
      description: `Display name, ${statedLimit('name')}. Default: the name of the earlier thread.`,
    }),
    isPrivate: t.boolean({
      description: 'Whether only you can see the new thread. Default: as in the earlier thread.',
    }),
    model: t.id({
      description:
        'Id of the model that generates the response, one of `models`. Default: the model of the earlier thread.',
    }),
    idempotencyKey: t.string({ description: keyDescription }),
  }),
});

builder.mutationField('continueThread', (t) =>
  t.field({
    type: PostedMessageType,
    description:
      'Continues a conversation in a new thread of yours, which starts with a summary of the earlier one (an extract of its messages). Use it for a thread in state `ERROR`, which accepts no more messages. Fails with `ThreadNotReadyError` while a response is queued or running in the earlier thread.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, NotFoundError, ThreadNotReadyError, ...sendingErrors] },
    args: { input: t.arg({ type: ContinueThreadInput, required: true, description: 'The new thread.' }) },
    resolve: (_root, { input }, context) => {
      const { threadId, text = null, name = null, isPrivate = null, model = null, idempotencyKey: key } = input;
      const texts = [
        { field: 'text', value: text, limit: 'message' },
        { field: 'name', value: name, limit: 'name' },
      ] as const;
      const body = { text, name, isPrivate };
      return sendOnce(context, { operation: `continueThread ${threadId}`, key, texts, body, model }, (request) =>
        continueThread(context.database, request, { threadId, ...body, model }),
      );
    },
  }),
);
