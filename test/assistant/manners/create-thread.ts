import type { Sent } from '../../support/clients/rest-client.js';
import type { Person } from '../../support/service.js';

const create = `mutation ($text: String!, $model: ID) {
  createThread(input: { text: $text, model: $model }) { ... on PostedMessage { threadId messageId } } }`;

/** A thread whose message goes to a model of the list, or to the default one. */
export async function createThread({ graphql }: Person, model: string | null): Promise<Sent> {
  return (await graphql.data(create, { text: 'Hi', model })).createThread;
}
