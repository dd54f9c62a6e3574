import { operation } from '../../graphql/gateway/operation.js';
import { endpoint } from '../endpoint.js';
import { failureFragment, unwrap } from '../presenters/failure.js';

const SubmitFeedback = operation(`
  mutation SubmitFeedback($input: SubmitFeedbackInput!) { submitFeedback(input: $input) { __typename ...Failure } }
  ${failureFragment}`);

export const rateMessage = endpoint({
  method: 'POST',
  path: '/threads/{thread-id}/messages/{message-id}/feedback',
  operationId: 'rateMessage',
  summary: 'Rates an assistant message with thumbs up or down. Replaces an earlier rating of the same user.',
  operation: SubmitFeedback,
  body: 'Feedback',
  responses: {
    204: { description: 'The rating was stored.' },
  },
  problems: {
    400: {
      description: 'A value of the body is invalid, or the message is not an assistant message.',
      codes: ['invalid_request', 'not_an_answer'],
    },
    404: { description: 'The message does not exist or is not visible.', codes: ['not_found'] },
  },
  async handle(session, { path, body }) {
    const where = { threadId: path['thread-id'], messageId: path['message-id'] };
    const { submitFeedback } = await session.run(SubmitFeedback, {
      input: { ...where, positive: body.positive, text: body.feedback_text },
    });
    unwrap(submitFeedback);
    return { status: 204 };
  },
});
