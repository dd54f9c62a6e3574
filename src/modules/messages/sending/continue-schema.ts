/** The mutation that continues a thread in a new one. */
import { builder } from '../../../builder.js';
import { statedLimit } from '../../../contract.js';
import { InvalidInputError, NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import { checkText } from '../../check-text.js';
import { checkModel } from '../../models/model-choice.js';
import { continueThread } from './continue-thread.js';
import { keyedRequest, once } from './idempotency.js';
import { PostedMessageType } from './posted-message-schema.js';
import { chosen, keyDescription, sendingErrors } from './schema.js';

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
    resolve: async (_root, { input }, { database, slots, viewer, models, source, countMessage }) => {
      checkText([
        { field: 'text', value: input.text, limit: 'message' },
        { field: 'name', value: input.name, limit: 'name' },
        { field: 'idempotencyKey', value: input.idempotencyKey, limit: 'key' },
      ]);
      const { threadId, text = null, name = null, isPrivate = null, idempotencyKey: key = null } = input;
      const model = input.model ?? null;
      const body = { text, name, isPrivate, ...chosen(model) };
      const request = keyedRequest(viewer, `continueThread ${threadId}`, { key, body, span: source.span, slots });
      const send = async () => {
        checkModel(models, model);
        return continueThread(database, request, { threadId, text, name, isPrivate, model });
      };
      return once(database, request, () => countMessage(send));
    },
  }),
);
