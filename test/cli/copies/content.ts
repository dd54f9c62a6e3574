/** What somebody sees of a service, so that a restored one can be compared with the one that was backed up. */
import { fetchAttachment } from '../../graphql/attachments/attached-file.js';
import { GraphQLClient } from '../../support/clients/graphql-client.js';
import { RestClient } from '../../support/clients/rest-client.js';
import type { MessageBody, PageBody, ThreadBody } from '../../support/clients/rest-types.js';
import { collectPages } from '../../support/threads.js';

export interface SeenThread {
  thread: ThreadBody;
  messages: MessageBody[];
  /** The contents of the attachments, in Base64. */
  files: string[];
  /** The own ratings of the answers. */
  feedback: unknown[];
}

/** Every thread that the token shows, by its id. */
export async function seenBy(service: { url: string }, token: string): Promise<Map<string, SeenThread>> {
  const rest = new RestClient({ origin: service.url, prefix: '/api/v1', token });
  const ids = await collectPages(rest, { limit: 100 });
  return new Map(await Promise.all(ids.map(async (id) => [id, await see({ service, token, rest }, id)] as const)));
}

async function see(
  { service, token, rest }: { service: { url: string }; token: string; rest: RestClient },
  id: string,
): Promise<SeenThread> {
  const { body: thread } = await rest.get<ThreadBody>(`/threads/${id}`);
  const { body: page } = await rest.get<PageBody<MessageBody>>(`/threads/${id}/messages?limit=100`);
  const graphql = new GraphQLClient({ origin: service.url, token });
  const blocks = page.data.flatMap(({ contents }) => contents);
  const attachments = blocks.flatMap((block) => ('attachment_id' in block ? [block.attachment_id] : []));
  const files = attachments.map(async (attachment) => {
    const response = await fetchAttachment(service, { token }, { id: attachment });
    return Buffer.from(await response.arrayBuffer()).toString('base64');
  });
  const answers = page.data.filter(({ role }) => role === 'assistant');
  const feedback = answers.map(async (answer) => {
    const found = await graphql.data(
      'query ($id: ID!) { node(id: $id) { ... on Message { myFeedback { positive text } } } }',
      { id: answer.id },
    );
    return found.node;
  });
  return { thread, messages: page.data, files: await Promise.all(files), feedback: await Promise.all(feedback) };
}
