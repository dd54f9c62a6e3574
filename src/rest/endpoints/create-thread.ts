import { operation } from '../../graphql/gateway/operation.js';
import { endpoint } from '../endpoint.js';
import { replayHeader } from '../idempotency-key.js';
import { failureFragment, unwrap } from '../presenters/failure.js';

const CreateThread = operation(`
  mutation CreateThread($input: CreateThreadInput!) {
    createThread(input: $input) { __typename ... on PostedMessage { threadId messageId replayed } ...Failure }
  }
  ${failureFragment}`);

export const createThread = endpoint({
  method: 'POST',
  path: '/threads',
  operationId: 'createThread',
  summary: 'Creates a thread with its first message and queues a response.',
  operation: CreateThread,
  idempotent: true,
  isPaid: true,
  body: 'NewThread',
  responses: {
    201: {
      description: 'The thread was created.',
      schema: 'CreatedThread',
      headers: ['Location', 'Idempotency-Replayed'],
    },
  },
  problems: {
    409: {
      description:
        'The `Idempotency-Key` was used for a different request, or the first request with it is still running.',
      codes: ['idempotency_key_reuse', 'idempotency_key_in_use'],
    },
  },
  async handle(session, { body, idempotencyKey }) {
    const { createThread } = await session.run(CreateThread, {
      input: { text: body.text, name: body.name, isPrivate: body.is_private, idempotencyKey },
    });
    const { threadId, messageId, replayed } = unwrap(createThread);
    return {
      status: 201,
      body: { thread_id: threadId, message_id: messageId },
      headers: { Location: `threads/${threadId}`, ...replayHeader(replayed) },
    };
  },
});
