import { type OperationData, operation } from '../../graphql/gateway/operation.js';
import { notFound, ProblemError } from '../../http/problems/problems.js';
import { endpoint, type Reply } from '../endpoint.js';
import { messageFragment, presentMessage } from '../presenters/message.js';

const Response = operation(`
  query Response($threadId: ID!, $messageId: ID!) {
    response(threadId: $threadId, messageId: $messageId) {
      __typename
      ... on ResponseComplete { messages { ...Message } }
      ... on ResponseFailed { message }
      ... on ResponseInterrupted { message }
    }
  }
  ${messageFragment}`);

export const pollResponse = endpoint({
  method: 'GET',
  path: '/threads/{thread-id}/messages/{message-id}/response',
  operationId: 'pollResponse',
  summary: 'Returns the response to a user message, for polling.',
  operation: Response,
  responses: {
    200: { description: 'The complete response.', schema: 'CompleteResponse' },
    202: {
      description: 'The response is queued or being generated.',
      schema: 'ProcessingResponse',
      headers: ['Retry-After'],
    },
  },
  problems: {
    404: {
      description: 'The message does not exist or is not visible, or its response failed or was interrupted.',
      codes: ['not_found', 'response_failed', 'response_interrupted'],
    },
  },
  async handle(session, { path }) {
    const where = { threadId: path['thread-id'], messageId: path['message-id'] };
    return present(await session.run(Response, where));
  },
});

function present({ response }: OperationData<typeof Response>): Reply {
  switch (response.__typename) {
    case 'ResponseProcessing':
      return { status: 202, body: { status: 'processing' }, headers: { 'Retry-After': '1' } };
    case 'ResponseComplete':
      return { status: 200, body: { status: 'complete', messages: response.messages.map(presentMessage) } };
    case 'ResponseFailed':
      throw new ProblemError(notFound('response_failed', response.message));
    case 'ResponseInterrupted':
      throw new ProblemError(notFound('response_interrupted', response.message));
  }
}
