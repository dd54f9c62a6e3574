/** The documents of the settings of the viewer, of their sessions, and of their access tokens. */
import { graphql } from '../graphql.js';
import { mutation } from '../mutation.js';

export const newThreadPrivacyMutation = mutation(
  'SetNewThreadPrivacy($isPrivate: Boolean!)',
  'setNewThreadPrivacy(input: { isPrivate: $isPrivate })',
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

export const endSessionMutation = mutation('EndSession($id: ID!)', 'endSession(id: $id)');

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

export const importMutation = mutation(
  'ImportConversations($attachmentId: ID!)',
  'importConversations(input: { attachmentId: $attachmentId })',
  '... on ConversationImport { imported existing refused { reason count } leftOut { kind count } }',
);

export const tokensQuery = graphql(`
  query AccessTokens {
    accessTokens {
      id
      name
      scopes
      lastFour
      expiresAt
      lastUsedAt
      revokedAt
    }
  }
`);

export const createTokenMutation = mutation(
  'CreateAccessToken($input: CreateAccessTokenInput!)',
  'createAccessToken(input: $input)',
  '... on CreatedAccessToken { secret }',
);

export const revokeTokenMutation = mutation('RevokeAccessToken($id: ID!)', 'revokeAccessToken(id: $id)');
