import { operation } from '../../graphql/gateway.js';
import { endpoint } from '../endpoint.js';
import { type MessageData, messageFragment, presentMessage } from '../presenters/message.js';
import { type ConnectionData, limitOf, presentPage } from '../presenters/page.js';

interface Query {
  limit?: number;
  after?: string;
}

const Messages = operation<{ thread: { messages: ConnectionData<MessageData> } }, Record<string, unknown>>(`
  query Messages($id: ID!, $first: Int!, $after: String) {
    thread(id: $id) {
      messages(first: $first, after: $after) { edges { node { ...Message } } pageInfo { hasNextPage } }
    }
  }
  ${messageFragment}`);

export const listMessages = endpoint<Query>({
  method: 'GET',
  path: '/threads/{thread-id}/messages',
  operationId: 'listMessages',
  summary: 'Lists the active messages of a thread, oldest first.',
  operation: Messages,
  query: {
    limit: {
      type: 'integer',
      minimum: 1,
      default: 50,
      description: 'Messages a page; 200 are applied where more are asked for.',
    },
    after: { type: 'string', storable: true, maxLength: 500, description: 'Return messages after this message id.' },
  },
  responses: {
    200: { description: 'A page of messages.', schema: 'MessagePage' },
    404: { description: 'No such thread, or a private one of another user.', schema: 'Problem' },
  },
  async handle(session, { path, query }) {
    const limit = limitOf(query);
    const { thread } = await session.run(Messages, { id: path['thread-id'], first: limit, after: query.after });
    return { status: 200, body: presentPage(thread.messages, { limit, present: presentMessage }) };
  },
});
