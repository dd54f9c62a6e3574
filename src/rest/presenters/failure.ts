/** A member of a mutation's result union that is not its success becomes the error that it stands for. */
import { GraphQLError } from 'graphql';

export const failureFragment = /* GraphQL */ `
  fragment Failure on Error {
    code
    message
    ... on InvalidInputError { problems { field message } }
    ... on ThreadNotReadyError { state }
  }
`;

export interface FailureData {
  __typename: `${string}Error`;
  code: string;
  message: string;
  problems?: { field: string; message: string }[];
  state?: string;
}

/** The success of a mutation. Throws what else it came to, with the code that `problems.ts` knows. */
export function unwrap<Success extends { __typename: string }>(result: Success | FailureData): Success {
  if (!isFailure(result)) return result;
  const { code, message, problems: errors, state } = result;
  throw new GraphQLError(message, { extensions: { code, errors, state: state?.toLowerCase() } });
}

function isFailure(result: { __typename: string }): result is FailureData {
  return 'code' in result;
}
