import { operation } from '../../graphql/gateway.js';
import { endpoint } from '../endpoint.js';
import { type FailureData, failureFragment, unwrap } from '../presenters/failure.js';

interface Body {
  text: string;
  name?: string | null;
  is_private?: boolean;
}

interface CreatedData {
  __typename: 'PostedMessage';
  threadId: string;
  messageId: string;
}

const CreateThread = operation<{ createThread: CreatedData | FailureData }, { input: object }>(`
  mutation CreateThread($input: CreateThreadInput!) {
    createThread(input: $input) { __typename ... on PostedMessage { threadId messageId } ...Failure }
  }
  ${failureFragment}`);

export const createThread = endpoint<Record<string, never>, Body>({
  method: 'POST',
  path: '/threads',
  operationId: 'createThread',
  summary: 'Creates a thread with an initial message, which triggers processing.',
  operation: CreateThread,
  body: 'NewThread',
  responses: {
    201: { description: 'The thread was created.', schema: 'CreatedThread' },
    409: { description: 'Conflict.', schema: 'Problem' },
  },
  async handle(session, { body }) {
    const input = { text: body.text, name: body.name, isPrivate: body.is_private };
    const { createThread } = await session.run(CreateThread, { input });
    const { threadId, messageId } = unwrap<CreatedData>(createThread);
    return {
      status: 201,
      body: { thread_id: threadId, message_id: messageId },
      headers: { Location: `threads/${threadId}` },
    };
  },
});
