/** The mutation that continues a thread in a new one. */
import { builder } from '../../../builder.js';
import { statedLimit } from '../../../contract/text-limits.js';
import { InvalidInputError, NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import { checkText } from '../../check-text.js';
import { continueThread } from './continue-thread.js';
import { keyedRequest, once } from './idempotency.js';
import { PostedMessageType } from './posted-message-schema.js';
import { keyDescription, keyErrors } from './schema.js';

const ContinueThreadInput = builder.inputType('ContinueThreadInput', {
  description: 'A new thread that continues an earlier one.',
  fields: (t) => ({
    threadId: t.id({ required: true, description: 'Id of the earlier thread. It is not changed.' }),
    text: t.string({
      required: true,
      description: `Text of the first message of the new thread, ${statedLimit('message')}.`,
    }),
    name: t.string({
      description: `Display name, ${statedLimit('name')}. Default: the name of the earlier thread.`,
    }),
    isPrivate: t.boolean({
      description: 'Whether only you can see the new thread. Default: as in the earlier thread.',
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
    errors: { types: [InvalidInputError, NotFoundError, ThreadNotReadyError, ...keyErrors] },
    args: { input: t.arg({ type: ContinueThreadInput, required: true, description: 'The new thread.' }) },
    resolve: async (_root, { input }, { database, viewer, countMessage }) => {
      checkText([
        { field: 'text', value: input.text, limit: 'message' },
        { field: 'name', value: input.name, limit: 'name' },
        { field: 'idempotencyKey', value: input.idempotencyKey, limit: 'key' },
      ]);
      const { threadId, text, name = null, isPrivate = null, idempotencyKey: key = null } = input;
      const body = { text, name, isPrivate };
      const request = keyedRequest(viewer, `continueThread ${threadId}`, { key, body });
      return once(database, request, () =>
        countMessage(() => continueThread(database, request, { threadId, ...body })),
      );
    },
  }),
);
