/** The mutations of a conversation. */
import { graphql } from './graphql.js';
import { refusalFields } from './thread-documents.js';

const postedFields = `
  __typename
  ... on PostedMessage {
    threadId
    messageId
  }
  ...RefusalFields
`;

export const createThreadMutation = graphql(
  `
  mutation CreateThread($input: CreateThreadInput!) {
    outcome: createThread(input: $input) { ${postedFields} }
  }
`,
  [refusalFields],
);

export const sendMessageMutation = graphql(
  `
  mutation SendMessage($input: SendMessageInput!) {
    outcome: sendMessage(input: $input) { ${postedFields} }
  }
`,
  [refusalFields],
);

export const answerChoiceMutation = graphql(
  `
  mutation AnswerChoice($input: AnswerChoiceInput!) {
    outcome: answerChoice(input: $input) { ${postedFields} }
  }
`,
  [refusalFields],
);

export const stopMutation = graphql(
  `
  mutation StopResponse($messageId: ID!) {
    outcome: stopResponse(messageId: $messageId) {
      __typename
      ... on StoppedResponse {
        wasStopped
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);

export const feedbackMutation = graphql(
  `
  mutation SubmitFeedback($input: SubmitFeedbackInput!) {
    outcome: submitFeedback(input: $input) {
      __typename
      ... on Feedback {
        positive
        text
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);

export const withdrawFeedbackMutation = graphql(
  `
  mutation WithdrawFeedback($input: WithdrawFeedbackInput!) {
    outcome: withdrawFeedback(input: $input) {
      __typename
      ... on WithdrawnFeedback {
        messageId
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);

export const uploadMutation = graphql(
  `
  mutation UploadAttachment($input: UploadAttachmentInput!) {
    outcome: uploadAttachment(input: $input) {
      __typename
      ... on AttachmentUpload {
        uploadUrl
        attachment {
          id
        }
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);
