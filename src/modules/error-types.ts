/** Error types that are members of the results of many mutations. */
import { builder, ErrorInterface } from '../builder.js';
import { InvalidInputError, NotAdministratorError, NotFoundError, NotOwnerError } from '../errors.js';

const InputProblemType = builder.objectRef<InvalidInputError['problems'][number]>('InputProblem').implement({
  description: 'An invalid value of the input.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Path to the value in the input.' }),
    message: t.exposeString('message', { description: 'What is wrong with the value.' }),
  }),
});

builder.objectType(InvalidInputError, {
  name: 'InvalidInputError',
  description: 'The input is invalid. Nothing was changed.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    problems: t.field({
      type: [InputProblemType],
      description: 'Every invalid value.',
      resolve: (error) => [...error.problems],
    }),
  }),
});

builder.objectType(NotFoundError, {
  name: 'NotFoundError',
  description: 'The object does not exist or you may not see it. The two cases are indistinguishable.',
  interfaces: [ErrorInterface],
});

builder.objectType(NotOwnerError, {
  name: 'NotOwnerError',
  description: 'You can see the thread, but only its owner may change this.',
  interfaces: [ErrorInterface],
});

builder.objectType(NotAdministratorError, {
  name: 'NotAdministratorError',
  description: 'Only an administrator who is signed in to the web application may do this. Access tokens cannot.',
  interfaces: [ErrorInterface],
});
