/** The types of the results and variables of the documents. */
import type { ResultOf, VariablesOf } from 'gql.tada';
import type { conversationFields } from './conversation-documents.js';
import type { feedbackQuery } from './late/feedback-documents.js';
import type { generationQuery } from './late/generation-documents.js';
import type { sessionsQuery, tokensQuery } from './late/settings-documents.js';
import type { memberFields } from './member-documents.js';
import type { messageFields } from './message-documents.js';
import type { refusalFields } from './mutation.js';
import type { threadFields, threadsQuery } from './thread-documents.js';
import type { budgetsQuery, usageFields, usageQuery } from './usage-documents.js';
import type { meQuery } from './viewer-documents.js';

/** Who the viewer is, and the models that they may choose. */
export type Identity = ResultOf<typeof meQuery>['me'] & Pick<ResultOf<typeof meQuery>, 'models'>;
export type Role = Identity['role'];

/** A browser in which the viewer is signed in. */
export type BrowserSession = ResultOf<typeof sessionsQuery>['sessions'][number];
export type AccessToken = ResultOf<typeof tokensQuery>['accessTokens'][number];
export type Scope = AccessToken['scopes'][number];
export type Member = ResultOf<typeof memberFields>;

export type Budget = ResultOf<typeof budgetsQuery>['budgets'][number];

/** Sums by day, by user and by model. */
export type Usage = ResultOf<typeof usageQuery>;
export type UsageSum = ResultOf<typeof usageFields>;

export type Thread = ResultOf<typeof threadFields>;
export type ThreadState = Thread['state'];
export type ThreadLink = NonNullable<ResultOf<typeof conversationFields>['continuedFrom']>;
export type ThreadFilter = NonNullable<VariablesOf<typeof threadsQuery>['filter']>;

export type Message = ResultOf<typeof messageFields>;
export type ContentBlock = Message['contents'][number];
export type Choice = Extract<ContentBlock, { __typename: 'UserGetChoiceBlock' }>;
export type Attachment = Message['attachments'][number];
/** What an answer took. */
export type Generation = NonNullable<NonNullable<ResultOf<typeof generationQuery>['message']>['generation']>;
export type Feedback = NonNullable<Message['myFeedback']>;
export type ResponseOutcome = NonNullable<Message['response']>;

/** A rating as administrators read it. */
export type GivenFeedback = ResultOf<typeof feedbackQuery>['feedback']['ratings'][number];

/** An expected error: one of the types that implement the interface `Error`. */
export type Refusal = ResultOf<typeof refusalFields>;
