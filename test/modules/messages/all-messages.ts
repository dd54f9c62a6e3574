import type { Person } from '../../support/service.js';

const query = `query ($id: ID!) { thread(id: $id) { messages(first: 100, includeInactive: true) {
  edges { node { active role contents { ... on TextBlock { text } ... on UserGetChoiceBlock { question } } } } } } }`;

/**
 * All messages of a thread, as GraphQL shows them: the role and the text up to the first run of x; those that a
 * summary replaced are in brackets.
 */
export async function allMessages({ graphql }: Person, threadId: string): Promise<string[]> {
  const { thread } = await graphql.data(query, { id: threadId });
  return thread.messages.edges.map(({ node }) => {
    const said = node.contents.map((block) => (block.text ?? block.question ?? '').split(' x')[0]).join();
    const line = `${node.role.toLowerCase()}: ${said}`;
    return node.active ? line : `[${line}]`;
  });
}
