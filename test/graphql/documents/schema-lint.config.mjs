/**
 * The public lint rules for GraphQL schemas and for Relay, every one of them, as a configuration of ESLint. Where a rule has
 * options, the stricter one holds unless its reason stands here.
 */
import * as plugin from '@graphql-eslint/eslint-plugin';

const rules = {
  ...plugin.configs['flat/schema-recommended'].rules,
  ...plugin.configs['flat/schema-relay'].rules,
  '@graphql-eslint/require-description': [
    'error',
    { types: true, rootField: true, FieldDefinition: true, InputValueDefinition: true, EnumValueDefinition: true },
  ],
  // Relay asks for one direction or both. Only messages are paged backwards, since a chat opens at its end.
  '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
  // Not a rule of Relay's specification. Lists without pages are short, and say their maximum: see `maximumItems`.
  '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false }],
  // An id is for what has an identity of its own, so that a cache finds it again. These are values.
  '@graphql-eslint/strict-id-in-types': [
    'error',
    {
      acceptedIdNames: ['id'],
      acceptedIdTypes: ['ID'],
      exceptions: {
        suffixes: ['Error', 'Connection', 'Edge', 'Block'],
        types: [
          ...['PageInfo', 'InputProblem', 'ThreadHistoryEvent', 'ThreadMatch', 'ThreadMatchPart', 'UsageSum'],
          ...['Generation', 'MessageVariants'],
          ...['DataExportPage', 'DataExportRecord', 'FeedbackPage', 'GivenFeedback'],
          // What a mutation came to.
          ...[
            'AnnouncedWriting',
            'AttachmentUpload',
            'ChangedThreads',
            'CreatedAccessToken',
            'InvitedMember',
            'NewThreadPrivacy',
            'PostedMessage',
            'StoppedResponse',
            'WithdrawnFeedback',
          ],
          // A response and a rating are found by their message, an identity by its `sub`.
          ...[
            'ResponseComplete',
            'ResponseFailed',
            'ResponseInterrupted',
            'ResponseProcessing',
            'Feedback',
            'Identity',
          ],
          // Events: their cursor is a position.
          ...[
            'ResponseDone',
            'ResponseRestarted',
            'ResponseRetrying',
            'ResponseStatus',
            'ResponseThinking',
            'ResponseToken',
          ],
          ...['ThreadHidden', 'ThreadUpserted', 'ThreadsCaughtUp'],
          // An event that replaces the one before it.
          'ThreadPresence',
        ],
      },
    },
  ],
};

export default [
  {
    files: ['**/*.graphql'],
    languageOptions: { parser: plugin.parser, parserOptions: { graphQLConfig: { schema: 'schema.graphql' } } },
    plugins: { '@graphql-eslint': plugin },
    rules,
  },
];
