/** One's own ratings of assistant messages in the GraphQL schema. Those of others are in `list-schema.ts`. */
import { builder, ErrorInterface } from '../../builder.js';
import { statedLimit } from '../../contract.js';
import { InvalidInputError, NotAnAnswerError, NotFoundError } from '../../errors.js';
import { checkText } from '../check-text.js';
import { Message } from '../messages/schema.js';
import { type Rating, rateMessage } from './rate-message.js';
import { withdrawRating } from './withdraw-rating.js';

builder.objectType(NotAnAnswerError, {
  name: 'NotAnAnswerError',
  description: 'Only assistant messages can be rated.',
  interfaces: [ErrorInterface],
});

const Feedback = builder.objectRef<Omit<Rating, 'threadId'>>('Feedback').implement({
  description: "A user's rating of an assistant message.",
  fields: (t) => ({
    messageId: t.exposeID('messageId', { description: 'Id of the rated message.' }),
    positive: t.exposeBoolean('positive', {
      description: 'Whether the rating is thumbs up (true) or thumbs down (false).',
    }),
    text: t.exposeString('text', { nullable: true, description: 'The comment on the rating.' }),
  }),
});

builder.prismaObjectField(Message, 'myFeedback', (t) =>
  t.field({
    type: Feedback,
    nullable: true,
    description: 'Your own rating of the message; null if you gave none.',
    select: (_args, { viewer }) => ({
      feedback: { where: { userId: viewer.userId }, take: 1, select: { messageId: true, positive: true, text: true } },
    }),
    resolve: ({ feedback: [own] }) => own ?? null,
  }),
);

const SubmitFeedbackInput = builder.inputType('SubmitFeedbackInput', {
  description: 'A rating. It replaces your earlier rating of the message, if any.',
  fields: (t) => ({
    threadId: t.id({ required: true, description: 'Id of the thread.' }),
    messageId: t.id({ required: true, description: "Id of the assistant's message." }),
    positive: t.boolean({
      required: true,
      description: 'Whether the rating is thumbs up (true) or thumbs down (false).',
    }),
    text: t.string({ description: `A comment, ${statedLimit('feedback')}.` }),
  }),
});

builder.mutationField('submitFeedback', (t) =>
  t.field({
    type: Feedback,
    description: 'Rates an assistant message.',
    authScopes: { scope: 'feedback:write' },
    errors: { types: [InvalidInputError, NotFoundError, NotAnAnswerError] },
    args: { input: t.arg({ type: SubmitFeedbackInput, required: true, description: 'The rating.' }) },
    resolve: async (_root, { input }, { database, viewer }) => {
      checkText([{ field: 'text', value: input.text, limit: 'feedback' }]);
      const rating = { ...input, text: input.text ?? null };
      await rateMessage(database, viewer, rating);
      return rating;
    },
  }),
);

const WithdrawnFeedback = builder.objectRef<{ messageId: string }>('WithdrawnFeedback').implement({
  description: 'The message no longer has a rating of yours.',
  fields: (t) => ({ messageId: t.exposeID('messageId', { description: 'Id of the message.' }) }),
});

const WithdrawFeedbackInput = builder.inputType('WithdrawFeedbackInput', {
  description: 'The message whose rating is withdrawn.',
  fields: (t) => ({
    threadId: t.id({ required: true, description: 'Id of the thread.' }),
    messageId: t.id({ required: true, description: "Id of the assistant's message." }),
  }),
});

builder.mutationField('withdrawFeedback', (t) =>
  t.field({
    type: WithdrawnFeedback,
    description: 'Withdraws your rating of an assistant message, with its comment. Does nothing if you gave none.',
    authScopes: { scope: 'feedback:write' },
    errors: { types: [NotFoundError] },
    args: { input: t.arg({ type: WithdrawFeedbackInput, required: true, description: 'The message.' }) },
    resolve: async (_root, { input }, { database, viewer }) => {
      await withdrawRating(database, viewer, input);
      return { messageId: input.messageId };
    },
  }),
);
