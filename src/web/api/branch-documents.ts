/** The mutations that branch a conversation. */
import { graphql } from './graphql.js';
import { refusalFields } from './thread-documents.js';

export const editMessageMutation = graphql(
  `
  mutation EditMessage($input: EditMessageInput!) {
    outcome: editMessage(input: $input) {
      __typename
      ... on PostedMessage {
        threadId
        messageId
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);

export const regenerateMutation = graphql(
  `
  mutation RegenerateResponse($input: RegenerateResponseInput!) {
    outcome: regenerateResponse(input: $input) {
      __typename
      ... on PostedMessage {
        threadId
        messageId
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);

export const selectVariantMutation = graphql(
  `
  mutation SelectVariant($messageId: ID!) {
    outcome: selectVariant(messageId: $messageId) {
      __typename
      ... on Thread {
        id
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);
