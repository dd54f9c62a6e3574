interface Reply {
  data: { thread: { messages: { edges: { node: Message }[] } } };
}

interface Message {
  active: boolean;
  role: string;
  contents: { text?: string; question?: string }[];
}

const query = `query ($id: ID!) { thread(id: $id) { messages(first: 100, includeInactive: true) {
  edges { node { active role contents { ... on TextBlock { text } ... on UserGetChoiceBlock { question } } } } } } }`;

/**
 * All messages of a thread, as GraphQL shows them: the role and the text up to the first run of x; those that a
 * summary replaced are in brackets.
 */
export async function allMessages(
  url: string,
  { token, threadId }: { token: string; threadId: string },
): Promise<string[]> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const body = JSON.stringify({ query, variables: { id: threadId } });
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  const { data } = (await response.json()) as Reply;
  return data.thread.messages.edges.map(({ node }) => {
    const said = node.contents.map((block) => (block.text ?? block.question ?? '').split(' x')[0]).join();
    const line = `${node.role.toLowerCase()}: ${said}`;
    return node.active ? line : `[${line}]`;
  });
}
