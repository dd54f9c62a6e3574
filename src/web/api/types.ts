/** The types of the results and variables of the documents. */
import type { ResultOf, VariablesOf } from 'gql.tada';
import type { conversationFields } from './conversation-documents.js';
import type { memberFields } from './member-documents.js';
import type { messageFields } from './message-documents.js';
import type { meQuery, sessionsQuery, tokenFields } from './settings-documents.js';
import type { refusalFields, threadFields, threadsQuery } from './thread-documents.js';

export type Identity = ResultOf<typeof meQuery>['me'];
export type Role = Identity['role'];

/** A browser in which the viewer is signed in. */
export type BrowserSession = ResultOf<typeof sessionsQuery>['sessions'][number];
export type AccessToken = ResultOf<typeof tokenFields>;
export type Scope = AccessToken['scopes'][number];
export type Member = ResultOf<typeof memberFields>;

export type Thread = ResultOf<typeof threadFields>;
export type ThreadState = Thread['state'];
export type ThreadLink = NonNullable<ResultOf<typeof conversationFields>['continuedFrom']>;
export type ThreadFilter = NonNullable<VariablesOf<typeof threadsQuery>['filter']>;

export type Message = ResultOf<typeof messageFields>;
export type ContentBlock = Message['contents'][number];
export type Choice = Extract<ContentBlock, { __typename: 'UserGetChoiceBlock' }>;
export type Attachment = Message['attachments'][number];
export type Feedback = NonNullable<Message['myFeedback']>;
export type ResponseOutcome = NonNullable<Message['response']>;

/** An expected error: one of the types that implement the interface `Error`. */
export type Refusal = ResultOf<typeof refusalFields>;
