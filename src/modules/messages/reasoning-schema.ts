/** What the model thought before an answer, in the GraphQL schema. REST does not have it, and no model is given it again. */
import { builder } from '../../builder.js';
import { maximumReasoning } from '../../contract.js';
import { loadReasoning } from './reasoning.js';
import { Message } from './schema.js';

builder.prismaObjectFields(Message, (t) => ({
  hasReasoning: t.boolean({
    description: 'Whether `reasoning` has a text. It costs no more than the message.',
    select: { reasoning: { select: { messageId: true } } },
    resolve: ({ reasoning }) => reasoning !== null,
  }),
  reasoning: t.string({
    nullable: true,
    description: `What the model thought before this answer, at most ${maximumReasoning} characters; null if it thought nothing, or before this was stored. Ask for it where it is shown, since it may be longer than the answer.`,
    resolve: ({ id }, _args, context) => loadReasoning(context, id),
  }),
}));
