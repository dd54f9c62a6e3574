/** A member of a mutation's result union that is not its success becomes the error that it stands for. */
import { GraphQLError } from 'graphql';
import type { DataOf } from '../../graphql/document-types/document-types.js';

export const failureFragment = /* GraphQL */ `
  fragment Failure on Error {
    code
    message
    ... on InvalidInputError { problems { field message } }
    ... on ThreadNotReadyError { state }
  }
`;

type FailureData = DataOf<typeof failureFragment>;

/** The success of a mutation. Throws what else it came to, with the code that `problems.ts` knows. */
export function unwrap<Result extends object>(result: Result): Exclude<Result, { code: string }> {
  if (!isFailure(result)) return result as Exclude<Result, { code: string }>;
  const { code, message } = result;
  const errors = 'problems' in result ? result.problems : undefined;
  const state = 'state' in result ? result.state.toLowerCase() : undefined;
  throw new GraphQLError(message, { extensions: { code, errors, state } });
}

function isFailure(result: object): result is FailureData {
  return 'code' in result;
}
