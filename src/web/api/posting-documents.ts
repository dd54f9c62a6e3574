/** The documents of what can be done in a conversation. */
import { gql } from 'urql';
import { refusalFields } from './thread-documents.js';
import type { Refusal } from './types.js';

type Posted = { outcome: { __typename: 'PostedMessage'; threadId: string; messageId: string } | Refusal };

const postedFields = `
  __typename
  ... on PostedMessage {
    threadId
    messageId
  }
  ...RefusalFields
`;

export interface CreateThreadInput {
  text: string;
  name?: string;
  isPrivate?: boolean;
  attachmentIds?: string[];
  idempotencyKey: string;
}

export const createThreadMutation = gql<Posted, { input: CreateThreadInput }>`
  mutation CreateThread($input: CreateThreadInput!) {
    outcome: createThread(input: $input) { ${postedFields} }
  }
  ${refusalFields}
`;

export interface SendMessageInput {
  threadId: string;
  text: string;
  onBusy?: 'REJECT' | 'INTERRUPT';
  attachmentIds?: string[];
  idempotencyKey: string;
}

export const sendMessageMutation = gql<Posted, { input: SendMessageInput }>`
  mutation SendMessage($input: SendMessageInput!) {
    outcome: sendMessage(input: $input) { ${postedFields} }
  }
  ${refusalFields}
`;

export const continueThreadMutation = gql<
  Posted,
  { input: { threadId: string; text: string; idempotencyKey: string } }
>`
  mutation ContinueThread($input: ContinueThreadInput!) {
    outcome: continueThread(input: $input) { ${postedFields} }
  }
  ${refusalFields}
`;

export const answerChoiceMutation = gql<
  Posted,
  { input: { threadId: string; toolUseId: string; choice: string; idempotencyKey: string } }
>`
  mutation AnswerChoice($input: AnswerChoiceInput!) {
    outcome: answerChoice(input: $input) { ${postedFields} }
  }
  ${refusalFields}
`;

export const stopMutation = gql<
  { outcome: { __typename: 'StoppedResponse'; wasStopped: boolean } | Refusal },
  { messageId: string }
>`
  mutation StopResponse($messageId: ID!) {
    outcome: stopResponse(messageId: $messageId) {
      __typename
      ... on StoppedResponse {
        wasStopped
      }
      ...RefusalFields
    }
  }
  ${refusalFields}
`;

export interface FeedbackInput {
  threadId: string;
  messageId: string;
  positive: boolean;
  text: string | null;
}

export const feedbackMutation = gql<
  { outcome: { __typename: 'Feedback'; positive: boolean; text: string | null } | Refusal },
  { input: FeedbackInput }
>`
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
  ${refusalFields}
`;

export const uploadMutation = gql<
  { outcome: { __typename: 'AttachmentUpload'; uploadUrl: string; attachment: { id: string } } | Refusal },
  { input: { name: string; mediaType: string; size: number } }
>`
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
  ${refusalFields}
`;
