/** The mutations that branch a conversation, and what a thread then shows. */

import { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import type { Person, TestService } from '../../support/service.js';

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

  constructor(service: TestService, { token }: Pick<Person, 'token'>) {
    this.graphql = new GraphQLClient({ origin: service.url, token });
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

/** The messages that REST lists, as `role: text`. */
export async function outlineOf({ rest }: Person, threadId: string): Promise<string[]> {
  const { body } = await rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages`);
  return body.data.map(
    ({ role, contents: [block] }) => `${role}: ${block?.type === 'text' ? block.text : block?.type}`,
  );
}
