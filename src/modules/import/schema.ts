/** The import of conversations from other services in the GraphQL schema. */
import { builder } from '../../builder.js';
import { InvalidInputError, NotFoundError } from '../../errors.js';
import { type ImportOmission, type ImportRefusal, importLimits } from './file/import-limits.js';
import { emptySummary, type ImportSummary, importConversations } from './import-conversations.js';
import { forgetUpload, readUpload } from './upload.js';

const refusals = {
  MALFORMED: { value: 'malformed', description: 'It is damaged, or in none of the formats that are known.' },
  TOO_LARGE: {
    value: 'too_large',
    description: `It has more than ${importLimits.messages.toLocaleString('en-US')} messages, ${importLimits.characters.toLocaleString('en-US')} characters or ${importLimits.conversationBytes / 1024 ** 2} MiB of JSON.`,
  },
  EMPTY: { value: 'empty', description: 'It has no text of a person or of the assistant.' },
} as const satisfies Record<Uppercase<ImportRefusal>, { value: ImportRefusal; description: string }>;

const omissions = {
  BRANCH: { value: 'branch', description: 'Messages of other branches than the one that was shown last.' },
  SYSTEM: { value: 'system', description: 'Instructions and hidden messages.' },
  TOOL: { value: 'tool', description: 'Calls of tools, and what they returned.' },
  REASONING: { value: 'reasoning', description: 'What the model thought.' },
  FILE: { value: 'file', description: 'Images and other files.' },
  EMPTY: { value: 'empty', description: 'Messages without any text.' },
  TOO_LONG: { value: 'too_long', description: 'Messages that are longer than a message may be.' },
} as const satisfies Record<Uppercase<ImportOmission>, { value: ImportOmission; description: string }>;

const RefusalType = builder.enumType('ImportRefusalReason', {
  description: 'Why a conversation is not imported.',
  values: refusals,
});

const OmissionType = builder.enumType('ImportOmissionKind', {
  description: 'What is left out of a conversation that is imported.',
  values: omissions,
});

const RefusalCount = builder.objectRef<{ reason: ImportRefusal; count: number }>('ImportRefusalCount').implement({
  description: 'How many conversations were left out for a reason.',
  fields: (t) => ({
    reason: t.expose('reason', { type: RefusalType, description: 'Why they were left out.' }),
    count: t.exposeInt('count', { description: 'How many.' }),
  }),
});

const OmissionCount = builder.objectRef<{ kind: ImportOmission; count: number }>('ImportOmissionCount').implement({
  description: 'How much of one kind was left out of the conversations that were imported.',
  fields: (t) => ({
    kind: t.expose('kind', { type: OmissionType, description: 'What was left out.' }),
    count: t.exposeInt('count', { description: 'How many.' }),
  }),
});

const ConversationImport = builder.objectRef<ImportSummary>('ConversationImport').implement({
  description: 'What became of the conversations of an import.',
  fields: (t) => ({
    imported: t.exposeInt('imported', { description: 'How many became threads.' }),
    existing: t.exposeInt('existing', {
      description: 'How many you had imported before. Their threads stay as they are.',
    }),
    refused: t.field({
      type: [RefusalCount],
      description: 'The conversations that were left out, by reason.',
      resolve: ({ refused }) => countsOf(refused).map(([reason, count]) => ({ reason, count })),
    }),
    leftOut: t.field({
      type: [OmissionCount],
      description: 'What was left out of the conversations that were imported, by kind.',
      resolve: ({ leftOut }) => countsOf(leftOut).map(([kind, count]) => ({ kind, count })),
    }),
  }),
});

function countsOf<Name extends string>(counts: Partial<Record<Name, number>>): [Name, number][] {
  return Object.entries(counts) as [Name, number][];
}

const ImportConversationsInput = builder.inputType('ImportConversationsInput', {
  description: 'Conversations to import.',
  fields: (t) => ({
    attachmentId: t.id({
      required: true,
      description: `Id of an attachment of yours with media type \`application/json\`, uploaded and not sent. Its content is part of an export of ChatGPT, Open WebUI or LibreChat: a list of at most ${importLimits.batchConversations} conversations, or a single one.`,
    }),
  }),
});

builder.mutationField('importConversations', (t) =>
  t.field({
    type: ConversationImport,
    description:
      'Imports conversations of ChatGPT, Open WebUI or LibreChat as private threads of yours, and removes the attachment. A conversation that you have imported before is not imported again, so a failed import can be repeated. Send large exports in parts.',
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, NotFoundError] },
    args: { input: t.arg({ type: ImportConversationsInput, required: true, description: 'The conversations.' }) },
    resolve: async (_root, { input: { attachmentId } }, context) => {
      const { database, viewer } = context;
      const elements = await readUpload(context, attachmentId);
      const summary = emptySummary();
      await importConversations(database, viewer, { elements, summary });
      await forgetUpload(context, attachmentId);
      return summary;
    },
  }),
);
