/** Builds the schema. The `schema.ts` files of the modules are imported for what they add to the builder. */
import { builder } from '../builder.js';
import { type PlainFields, readProperties } from './plain-fields.js';
import { readWholeRows, type WholeFields } from './whole-rows.js';
import '../modules/error-types.js';
import '../modules/identity/schema.js';
import '../modules/identity/tokens/token-schema.js';
import '../modules/identity/members/member-schema.js';
import '../modules/identity/new-thread-privacy-schema.js';
import '../modules/identity/session-schema.js';
import '../modules/identity/audit/audit-schema.js';
import '../modules/threads/schema.js';
import '../modules/usage/schema.js';
import '../modules/usage/budgets/schema.js';
import '../modules/models/schema.js';
import '../modules/threads/list/list-schema.js';
import '../modules/threads/history-schema.js';
import '../modules/threads/personal/read-position-schema.js';
import '../modules/threads/personal/pin-schema.js';
import '../modules/threads/continuation-schema.js';
import '../modules/threads/archive-schema.js';
import '../modules/threads/mutations.js';
import '../modules/threads/instructions-schema.js';
import '../modules/threads/tags/tag-schema.js';
import '../modules/messages/reasoning-schema.js';
import '../modules/messages/schema.js';
import '../modules/messages/match-message.js';
import '../modules/nodes/schema.js';
import { messagesOfWholeThread } from '../modules/messages/message-connection.js';
import '../modules/attachments/schema.js';
import '../modules/responses/schema.js';
import { answersOfWholeResponse } from '../modules/responses/read-whole-response.js';
import '../modules/responses/generation-schema.js';
import '../modules/responses/viewing/events-schema.js';
import '../modules/responses/mutations.js';
import '../modules/messages/sending/schema.js';
import '../modules/messages/sending/continue-schema.js';
import '../modules/messages/branches/schema.js';
import '../modules/messages/branches/variants-schema.js';
import '../modules/messages/sending/choice-schema.js';
import '../modules/deletion/schema.js';
import '../modules/export/schema.js';
import '../modules/import/schema.js';
import '../modules/feedback/list-schema.js';
import '../modules/feedback/schema.js';
import '../modules/feeds/schema.js';
import '../modules/presence/schema.js';

const wholeFields: WholeFields = {
  Thread: { owner: 'property', messages: messagesOfWholeThread },
  ResponseComplete: { messages: answersOfWholeResponse },
  Message: {
    role: 'property',
    contents: 'property',
    replyToId: 'property',
    active: 'property',
    createdAt: 'property',
  },
};

const plainFields: PlainFields = {
  Thread: [
    'id',
    'name',
    'state',
    'interruptReason',
    'isPrivate',
    'archived',
    'branchVersion',
    'createdAt',
    'updatedAt',
  ],
  ThreadOwner: ['id', 'name'],
  Message: ['id', 'threadId'],
  MessageConnection: ['edges', 'pageInfo'],
  MessageEdge: ['node'],
};

export const schema = readProperties(readWholeRows(builder.toSchema(), wholeFields), plainFields);
