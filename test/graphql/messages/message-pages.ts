/** Pages of a thread's messages as a client of GraphQL asks for them. */
import type { InputOf } from '../../../src/graphql/document-types/document-types.js';
import type { Data, GraphQLClient } from '../../support/clients/graphql-client.js';

export const messagesQuery = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $includeInactive: Boolean) {
  thread(id: $id) {
    messages(first: $first, after: $after, last: $last, before: $before, includeInactive: $includeInactive) {
      edges { cursor node { id role active } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

export type MessagePage = Data<typeof messagesQuery>['thread']['messages'];

/** A page; throws where there are errors. */
export async function messagePage(
  client: GraphQLClient,
  variables: InputOf<typeof messagesQuery>,
): Promise<MessagePage> {
  return (await client.data(messagesQuery, variables)).thread.messages;
}

export function idsOf({ edges }: MessagePage): string[] {
  return edges.map(({ node }) => node.id);
}
