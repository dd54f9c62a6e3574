/** The mutation that answers a question of the assistant with one of its choices. */
import { builder, ErrorInterface } from '../../../builder.js';
import { ChoiceNotOpenError, InvalidInputError, NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import { checkText } from '../../check-text.js';
import { answerChoice } from './answer-choice.js';
import { keyedRequest, once } from './idempotency.js';
import { PostedMessageType } from './posted-message-schema.js';
import { keyDescription, keyErrors } from './schema.js';

builder.objectType(ChoiceNotOpenError, {
  name: 'ChoiceNotOpenError',
  description: 'The thread no longer ends with this question: it was answered, or other messages followed.',
  interfaces: [ErrorInterface],
});

const AnswerChoiceInput = builder.inputType('AnswerChoiceInput', {
  description: 'An answer to a question of the assistant.',
  fields: (t) => ({
    threadId: t.id({ required: true, description: 'Id of the thread.' }),
    toolUseId: t.id({ required: true, description: "The `toolUseId` of the question's `UserGetChoiceBlock`." }),
    choice: t.string({
      required: true,
      description: 'One of the `choices` of the question, spelled exactly as there.',
    }),
    idempotencyKey: t.string({ description: keyDescription }),
  }),
});

builder.mutationField('answerChoice', (t) =>
  t.field({
    type: PostedMessageType,
    description:
      'Answers the question that the thread ends with, with one of its choices. If several answers arrive, the first one counts. Use `sendMessage` to answer in other words.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, NotFoundError, ThreadNotReadyError, ChoiceNotOpenError, ...keyErrors] },
    args: { input: t.arg({ type: AnswerChoiceInput, required: true, description: 'The answer.' }) },
    resolve: async (_root, { input }, { database, viewer, countMessage }) => {
      const { threadId, toolUseId, choice, idempotencyKey: key = null } = input;
      checkText([
        { field: 'toolUseId', value: toolUseId, limit: 'name' },
        { field: 'choice', value: choice, limit: 'message' },
        { field: 'idempotencyKey', value: key, limit: 'key' },
      ]);
      const body = { toolUseId, choice };
      const request = keyedRequest(viewer, `answerChoice ${threadId}`, { key, body });
      return once(database, request, () => countMessage(() => answerChoice(database, request, { threadId, ...body })));
    },
  }),
);
