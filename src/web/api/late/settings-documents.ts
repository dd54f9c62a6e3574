/** The documents of the settings of the viewer, of their sessions, and of their access tokens. */
import { graphql } from '../graphql.js';
import { refusalFields } from '../thread-documents.js';

export const tokenFields = graphql(`
  fragment TokenFields on AccessToken {
    id
    name
    scopes
    lastFour
    createdAt
    expiresAt
    lastUsedAt
    revokedAt
  }
`);

export const newThreadPrivacyMutation = graphql(
  `
  mutation SetNewThreadPrivacy($isPrivate: Boolean!) {
    outcome: setNewThreadPrivacy(input: { isPrivate: $isPrivate }) {
      __typename
      ... on NewThreadPrivacy {
        isPrivate
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);

export const sessionsQuery = graphql(`
  query Sessions {
    sessions {
      id
      userAgent
      createdAt
      lastUsedAt
      isCurrent
    }
  }
`);

export const endSessionMutation = graphql(
  `
  mutation EndSession($id: ID!) {
    outcome: endSession(id: $id) {
      __typename
      ... on Session {
        id
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);

export const dataExportQuery = graphql(`
  query DataExport($after: String) {
    dataExport(first: 200, after: $after) {
      records {
        line
      }
      cursor
      hasNextPage
    }
  }
`);

export const importMutation = graphql(
  `
  mutation ImportConversations($attachmentId: ID!) {
    outcome: importConversations(input: { attachmentId: $attachmentId }) {
      __typename
      ... on ConversationImport {
        imported
        existing
        refused {
          reason
          count
        }
        leftOut {
          kind
          count
        }
      }
      ...RefusalFields
    }
  }
`,
  [refusalFields],
);

export const tokensQuery = graphql(
  `
  query AccessTokens {
    accessTokens {
      ...TokenFields
    }
  }
`,
  [tokenFields],
);

export const createTokenMutation = graphql(
  `
  mutation CreateAccessToken($input: CreateAccessTokenInput!) {
    outcome: createAccessToken(input: $input) {
      __typename
      ... on CreatedAccessToken {
        secret
        accessToken {
          ...TokenFields
        }
      }
      ...RefusalFields
    }
  }
`,
  [tokenFields, refusalFields],
);

export const revokeTokenMutation = graphql(
  `
  mutation RevokeAccessToken($id: ID!) {
    outcome: revokeAccessToken(id: $id) {
      __typename
      ...TokenFields
      ...RefusalFields
    }
  }
`,
  [tokenFields, refusalFields],
);
