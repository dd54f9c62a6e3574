/** Converts error members of a mutation's result to exceptions. */
import { GraphQLError } from 'graphql';
import type { DataOf } from '../../graphql/document-types/document-types.js';

export const failureFragment = /* GraphQL */ `
  fragment Failure on Error {
    code
    message
    ... on InvalidInputError { problems { field message } }
    ... on ThreadNotReadyError { state }
    ... on BudgetExceededError { scope period unit maximum renewsAt }
  }
`;

type FailureData = DataOf<typeof failureFragment>;

/** Returns the success of a mutation. Throws its error, with the code that `problems.ts` maps to a status. */
export function unwrap<Result extends object>(result: Result): Exclude<Result, { code: string }> {
  if (!isFailure(result)) return result as Exclude<Result, { code: string }>;
  const { code, message } = result;
  const errors = 'problems' in result ? result.problems : undefined;
  const state = 'state' in result ? result.state.toLowerCase() : undefined;
  throw new GraphQLError(message, { extensions: { code, errors, state, ...spentOf(result) } });
}

/** The budget that is used up, in the words of REST. */
function spentOf(failure: FailureData) {
  if (!('renewsAt' in failure)) return {};
  const { scope, period, unit, maximum } = failure;
  const budget = { scope: scope.toLowerCase(), period: period.toLowerCase(), unit: unit.toLowerCase(), maximum };
  return { budget, renewsAt: new Date(failure.renewsAt) };
}

function isFailure(result: object): result is FailureData {
  return 'code' in result;
}
