import { operation } from '../../graphql/gateway/operation.js';
import { endpoint } from '../endpoint.js';
import { replayHeader } from '../idempotency-key.js';
import { failureFragment, unwrap } from '../presenters/failure.js';

const SendMessage = operation(`
  mutation SendMessage($input: SendMessageInput!) {
    sendMessage(input: $input) { __typename ... on PostedMessage { messageId replayed } ...Failure }
  }
  ${failureFragment}`);

export const sendMessage = endpoint({
  method: 'POST',
  path: '/threads/{thread-id}/messages',
  operationId: 'sendMessage',
  summary: 'Sends a message to a thread in state `ready` and queues a response.',
  operation: SendMessage,
  idempotent: true,
  isPaid: true,
  body: 'NewMessage',
  responses: {
    201: {
      description: 'The message was accepted.',
      schema: 'SentMessage',
      headers: ['Location', 'Idempotency-Replayed'],
    },
  },
  problems: {
    404: { description: 'The thread does not exist or is not visible.', codes: ['not_found'] },
    409: {
      description:
        'The thread is not in state `ready`, the `Idempotency-Key` was used for a different request, or the first request with it is still running.',
      codes: ['thread_not_ready', 'idempotency_key_reuse', 'idempotency_key_in_use'],
    },
  },
  async handle(session, { path, body, idempotencyKey }) {
    const threadId = path['thread-id'];
    const { sendMessage } = await session.run(SendMessage, {
      input: { threadId, text: body.text, idempotencyKey, onBusy: 'REJECT' },
    });
    const { messageId, replayed } = unwrap(sendMessage);
    return {
      status: 201,
      body: { message_id: messageId },
      headers: { Location: 'messages', ...replayHeader(replayed) },
    };
  },
});
