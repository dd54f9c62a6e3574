import { operation } from '../../graphql/gateway/operation.js';
import { endpoint } from '../endpoint.js';
import { presentThread, threadFragment } from '../presenters/thread.js';

const Thread = operation(`query Thread($id: ID!) { thread(id: $id) { ...Thread } } ${threadFragment}`);

export const getThread = endpoint({
  method: 'GET',
  path: '/threads/{thread-id}',
  operationId: 'getThread',
  summary: 'Returns a thread.',
  operation: Thread,
  responses: {
    200: { description: 'The thread.', schema: 'Thread' },
  },
  problems: { 404: { description: 'The thread does not exist or is not visible.', codes: ['not_found'] } },
  async handle(session, { path }) {
    const { thread } = await session.run(Thread, { id: path['thread-id'] });
    return { status: 200, body: presentThread(thread) };
  },
});
