/** The instructions that the owner of a thread gives to the model, in the GraphQL schema. REST does not have them. */
import { builder } from '../../builder.js';
import { statedLimit } from '../../contract.js';
import { InvalidInputError } from '../../errors.js';
import { checkText } from '../check-text.js';
import { changed, refusals } from './mutations.js';
import { Thread } from './schema.js';

builder.prismaObjectField(Thread, 'instructions', (t) =>
  t.exposeString('instructions', {
    nullable: true,
    description:
      "What the model is told for this thread, after the operator's own instructions; null if nothing. Whoever sees the thread sees it.",
    authScopes: { scope: 'threads:read' },
  }),
);

const SetThreadInstructionsInput = builder.inputType('SetThreadInstructionsInput', {
  description: 'Instructions for the model in one thread.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the thread.' }),
    instructions: t.string({
      description: `The instructions, ${statedLimit('instructions')}. An explicit \`null\` removes them.`,
    }),
  }),
});

builder.mutationField('setThreadInstructions', (t) =>
  t.field({
    type: Thread,
    description:
      'Sets what the model is told for one of your threads, or removes it. It applies to every response that begins afterwards, also to those that are generated again.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, ...refusals] },
    args: { input: t.arg({ type: SetThreadInstructionsInput, required: true, description: 'The instructions.' }) },
    resolve: (_root, { input: { id, instructions } }, context, info) => {
      // A forgotten variable must not remove them.
      if (instructions === undefined)
        throw new InvalidInputError([{ field: 'instructions', message: 'is required; pass null to remove them' }]);
      checkText([{ field: 'instructions', value: instructions, limit: 'instructions' }]);
      return changed({ id, field: 'instructions', value: instructions }, context, info);
    },
  }),
);
