import { operation } from '../../graphql/gateway/operation.js';
import { endpoint } from '../endpoint.js';
import { pageParameters } from '../page-parameters.js';
import { messageFragment, presentMessage } from '../presenters/message.js';
import { limitOf, presentPage } from '../presenters/page.js';

const Messages = operation(`
  query Messages($id: ID!, $first: Int!, $after: String) {
    thread(id: $id) {
      messages(first: $first, after: $after) { edges { node { ...Message } } pageInfo { hasNextPage } }
    }
  }
  ${messageFragment}`);

export const listMessages = endpoint({
  method: 'GET',
  path: '/threads/{thread-id}/messages',
  operationId: 'listMessages',
  summary: 'Lists the active messages of a thread, oldest first.',
  operation: Messages,
  query: pageParameters('message'),
  responses: {
    200: { description: 'A page of messages.', schema: 'MessagePage' },
  },
  problems: {
    400: {
      description: 'A parameter is invalid, or `after` is not the id of a message of the thread.',
      codes: ['invalid_request', 'invalid_cursor'],
    },
    404: { description: 'The thread does not exist or is not visible.', codes: ['not_found'] },
  },
  async handle(session, { path, query }) {
    const limit = limitOf(query);
    const { thread } = await session.run(Messages, { id: path['thread-id'], first: limit, after: query.after });
    return { status: 200, body: presentPage(thread.messages, { limit, present: presentMessage }) };
  },
});
