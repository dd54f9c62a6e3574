/** The mutations that branch a conversation, and what a thread then shows. */

import type { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { Person } from '../../support/service.js';

const outcome = `__typename
  ... on PostedMessage { threadId messageId replayed }
  ... on Error { code message }
  ... on ThreadNotReadyError { state }`;

const edit = `mutation ($input: EditMessageInput!) { editMessage(input: $input) { ${outcome} } }`;
const regenerate = `mutation ($input: RegenerateResponseInput!) { regenerateResponse(input: $input) { ${outcome} } }`;
const select = `mutation ($id: ID!) { selectVariant(messageId: $id) {
  __typename ... on Thread { id state branchVersion isUnread } ... on Error { code message } } }`;

/** The mutations as one person sends them. */
export class Branching {
  readonly graphql: GraphQLClient;

  constructor({ graphql }: Pick<Person, 'graphql'>) {
    this.graphql = graphql;
  }

  async edit(messageId: string, text: string, idempotencyKey?: string) {
    const input = { messageId, text, idempotencyKey };
    return (await this.graphql.data(edit, { input })).editMessage;
  }

  async regenerate(messageId: string) {
    return (await this.graphql.data(regenerate, { input: { messageId } })).regenerateResponse;
  }

  async select(id: string) {
    return (await this.graphql.data(select, { id })).selectVariant;
  }
}
