/** The outcomes that many mutations share, as members of their result unions. */
import { builder, ErrorInterface } from '../builder.js';
import { InvalidInputError, NotAdministratorError, NotFoundError, NotOwnerError } from '../errors.js';

const InputProblemType = builder.objectRef<InvalidInputError['problems'][number]>('InputProblem').implement({
  description: 'One value of the input that cannot be used.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Path to the value, as it was written.' }),
    message: t.exposeString('message', { description: 'What is wrong with it.' }),
  }),
});

builder.objectType(InvalidInputError, {
  name: 'InvalidInputError',
  description: 'Some of the input cannot be used; nothing was changed.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    problems: t.field({
      type: [InputProblemType],
      description: 'Each value that cannot be used.',
      resolve: (error) => [...error.problems],
    }),
  }),
});

builder.objectType(NotFoundError, {
  name: 'NotFoundError',
  description: 'The object does not exist, or you may not see it: the two are never told apart.',
  interfaces: [ErrorInterface],
});

builder.objectType(NotOwnerError, {
  name: 'NotOwnerError',
  description: 'You see the thread, but only its owner may change this.',
  interfaces: [ErrorInterface],
});

builder.objectType(NotAdministratorError, {
  name: 'NotAdministratorError',
  description: 'Only an administrator may do this, signed in to the web application; no token can.',
  interfaces: [ErrorInterface],
});
