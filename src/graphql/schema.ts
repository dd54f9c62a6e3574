/** Builds the schema. The `schema.ts` files of the modules are imported for what they add to the builder. */
import { builder } from '../builder.js';
import { countAnswers } from './limits/answer-budget.js';
import '../modules/error-types.js';
import '../modules/identity/schema.js';
import '../modules/identity/tokens/token-schema.js';
import '../modules/identity/members/member-schema.js';
import '../modules/identity/session-schema.js';
import '../modules/threads/schema.js';
import '../modules/threads/list/list-schema.js';
import '../modules/threads/history-schema.js';
import '../modules/threads/continuation-schema.js';
import '../modules/threads/mutations.js';
import '../modules/messages/schema.js';
import '../modules/messages/match-message.js';
import '../modules/nodes/schema.js';
import '../modules/messages/message-connection.js';
import '../modules/attachments/schema.js';
import '../modules/responses/schema.js';
import '../modules/responses/viewing/events-schema.js';
import '../modules/responses/mutations.js';
import '../modules/messages/sending/schema.js';
import '../modules/messages/sending/continue-schema.js';
import '../modules/messages/sending/choice-schema.js';
import '../modules/feedback/schema.js';
import '../modules/feeds/schema.js';

export const schema = countAnswers(builder.toSchema());
