/** Pages of a thread's messages as a client of GraphQL asks for them. */
import type { GraphQLClient } from '../../support/graphql-client.js';

export interface MessagePage {
  edges: { cursor: string; node: { id: string; role: string; active: boolean } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

export const messagesQuery = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $includeInactive: Boolean) {
  thread(id: $id) {
    messages(first: $first, after: $after, last: $last, before: $before, includeInactive: $includeInactive) {
      edges { cursor node { id role active } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

/** A page; throws where there are errors. */
export async function messagePage(
  client: GraphQLClient,
  variables: { id: string; [name: string]: unknown },
): Promise<MessagePage> {
  return (await client.data<{ thread: { messages: MessagePage } }>(messagesQuery, variables)).thread.messages;
}

export function idsOf({ edges }: MessagePage): string[] {
  return edges.map(({ node }) => node.id);
}
