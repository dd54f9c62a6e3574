/** A question of the scripted model, and the mutation that answers it. */
import type { GraphQLClient } from '../../support/graphql-client.js';
import { finish, toolCall } from '../../support/model-script.js';
import type { Sent } from '../../support/rest-client.js';

export const question = { question: 'Tea or coffee?', choices: ['Tea', 'Coffee "black"'] };

/** The script in which the model asks it. */
export const ask = (id: string) => [
  ...toolCall({ id, name: 'user_get_choice', arguments: question }),
  finish('tool_calls'),
];

/** The message that was posted, or what an error says. */
export interface Outcome extends Sent {
  __typename: string;
}

export const mutation = `mutation ($input: AnswerChoiceInput!) { answerChoice(input: $input) {
  __typename
  ... on PostedMessage { threadId messageId replayed }
  ... on Error { code message }
  ... on InvalidInputError { problems { field message } }
  ... on ThreadNotReadyError { state } } }`;

export async function answerChoice(graphql: GraphQLClient, input: object): Promise<Outcome> {
  return (await graphql.data<{ answerChoice: Outcome }>(mutation, { input })).answerChoice;
}
