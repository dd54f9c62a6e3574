/** The same documents as the other examples have, as Relay wants them: named after their file. */
import { graphql } from 'relay-runtime';

export const threadsQuery = graphql`
  query documentsThreadsQuery($first: Int!, $after: String) {
    threads(first: $first, after: $after) {
      edges { node { id name state } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

// The key in the input makes it safe to send the same request again, where its answer was lost: it counts once.
export const sendMutation = graphql`
  mutation documentsSendMutation($input: SendMessageInput!) {
    sendMessage(input: $input) {
      __typename
      ... on PostedMessage { messageId }
      ... on ThreadNotReadyError { state message }
      ... on InvalidInputError { problems { field message } }
      ... on NotFoundError { message }
      ... on IdempotencyKeyInUseError { message }
      ... on IdempotencyKeyReusedError { message }
    }
  }
`;

// Ask every member for its cursor: it is what you come back with.
export const eventsSubscription = graphql`
  subscription documentsEventsSubscription($messageId: ID!, $after: String) {
    responseEvents(messageId: $messageId, after: $after) {
      __typename
      ... on ResponseStatus { cursor status }
      ... on ResponseThinking { cursor text }
      ... on ResponseToken { cursor token }
      ... on ResponseRestarted { cursor }
      ... on ResponseRetrying { cursor message }
      ... on ResponseError { cursor code message }
      ... on ResponseDone { cursor }
    }
  }
`;

export const changesSubscription = graphql`
  subscription documentsChangesSubscription($after: String) {
    threadsChanged(after: $after) {
      __typename
      ... on ThreadsCaughtUp { cursor }
      ... on ThreadUpserted { cursor thread { id name state } }
      ... on ThreadHidden { cursor threadId }
    }
  }
`;
