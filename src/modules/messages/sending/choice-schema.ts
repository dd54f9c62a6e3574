/** The mutation that answers a question of the assistant with one of its choices. */
import { builder, ErrorInterface } from '../../../builder.js';
import { ChoiceNotOpenError, InvalidInputError, NotFoundError, ThreadNotReadyError } from '../../../errors.js';
import { modelDescription } from '../../models/schema.js';
import { answerChoice } from './answer-choice.js';
import { PostedMessageType } from './posted-message-schema.js';
import { keyDescription, sendingErrors } from './schema.js';
import { sendOnce } from './send-once.js';

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
    model: t.id({ description: modelDescription }),
    idempotencyKey: t.string({ description: keyDescription }),
  }),
});

builder.mutationField('answerChoice', (t) =>
  t.field({
    type: PostedMessageType,
    description:
      'Answers the question that the thread ends with, with one of its choices. If several answers arrive, the first one counts. Use `sendMessage` to answer in other words.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, NotFoundError, ThreadNotReadyError, ChoiceNotOpenError, ...sendingErrors] },
    args: { input: t.arg({ type: AnswerChoiceInput, required: true, description: 'The answer.' }) },
    resolve: async (_root, { input }, context) => {
      const { database, viewer, presence } = context;
      const { threadId, toolUseId, choice, model = null, idempotencyKey: key } = input;
      const texts = [
        { field: 'toolUseId', value: toolUseId, limit: 'name' },
        { field: 'choice', value: choice, limit: 'message' },
      ] as const;
      const sending = { operation: `answerChoice ${threadId}`, key, texts, body: { toolUseId, choice }, model };
      const posted = await sendOnce(context, sending, (request) =>
        answerChoice(database, request, { threadId, toolUseId, choice, model }),
      );
      presence.endWriting({ threadId, userId: viewer.userId });
      return posted;
    },
  }),
);
