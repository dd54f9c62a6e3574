/** A question of the scripted model, and the mutation that answers it. */
import type { InputOf } from '../../../src/graphql/document-types/document-types.js';
import type { Data, GraphQLClient } from '../../support/clients/graphql-client.js';
import { finish, toolCall } from '../../support/model/model-script.js';

export const question = { question: 'Tea or coffee?', choices: ['Tea', 'Coffee "black"'] };

/** The script in which the model asks it, once for each id. */
export const ask = (...ids: string[]) => [
  ...ids.flatMap((id, index) => toolCall({ id, index, name: 'user_get_choice', arguments: question })),
  finish('tool_calls'),
];

export const mutation = `mutation ($input: AnswerChoiceInput!) { answerChoice(input: $input) {
  __typename
  ... on PostedMessage { threadId messageId replayed }
  ... on Error { code message }
  ... on InvalidInputError { problems { field message } }
  ... on ThreadNotReadyError { state } } }`;

/** The message that was posted, or what an error says. */
export type Outcome = Data<typeof mutation>['answerChoice'];

export type Input = InputOf<typeof mutation>['input'];

export async function answerChoice(graphql: GraphQLClient, input: Input): Promise<Outcome> {
  return (await graphql.data(mutation, { input })).answerChoice;
}
