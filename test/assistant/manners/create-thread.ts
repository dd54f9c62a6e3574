import { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { Sent } from '../../support/clients/rest-client.js';
import type { Person, TestService } from '../../support/service.js';

const create = `
  mutation Create($text: String!, $model: ID) {
    createThread(input: { text: $text, model: $model }) { ... on PostedMessage { threadId messageId } }
  }
`;

/** A thread whose message goes to a model of the list, or to the default one. */
export async function createThread(
  { url: origin }: TestService,
  { token }: Person,
  variables: { text: string; model: string | null },
): Promise<Sent> {
  return (await new GraphQLClient({ origin, token }).data(create, variables)).createThread;
}
