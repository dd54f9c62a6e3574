/**
 * Who gets what of each root field: the table that `visibility.test.ts` compares every answer with. A field that is added
 * to the schema needs a row here; what is inside of the objects that it gives stands in `visibility-fields.ts`.
 */
import type { Scope } from '../../../src/contract.js';
import type { Kind, Target } from './visibility-stage.js';

/**
 * `value`: what was asked for, be it a success or a fact about the thread. `absent`: the list does not have it. Else the
 * code of the error, or the type of the refusal.
 */
export type Outcome =
  | 'value'
  | 'absent'
  | 'null'
  | 'NOT_FOUND'
  | 'NotFoundError'
  | 'NotOwnerError'
  | 'NOT_ADMINISTRATOR'
  | 'NOT_SIGNED_IN'
  | 'NotAdministratorError';

/** The owner, a colleague in the same organization, and a stranger of another one. */
type Trio = readonly [owner: Outcome, colleague: Outcome, stranger: Outcome];

export interface Row {
  /** Without it: `MISSING_SCOPE`, and nothing else is looked at. */
  scope: Scope;
  /** Of a mutation that gives a thread or a message: what is in the thread needs this one too. The change is made all the same. */
  inside?: Scope;
  public: Trio;
  private: Trio;
  arguments: (target: Target & { feedCursor: string }) => Record<string, unknown>;
  /** Where the field gives many things: the id by which the one in question is known. */
  finds?: (target: Target) => string;
  /** Where it gives things of several types: the one in question. */
  only?: string;
  /** True where the answer has nothing to do with the state or the privacy of one thread: a single kind is enough. */
  isApart?: true;
  /** For a mutation: the kind of thread that it works on. */
  on?: Kind;
  /** True for a mutation that stores nothing even if it is accepted. */
  storesNothing?: true;
}

const thread = (hidden: Outcome) => ({
  public: ['value', 'value', hidden] as const,
  private: ['value', hidden, hidden] as const,
});
/** What everybody who sees the thread may do. */
const members = thread('NotFoundError');
const ownerAlone = {
  public: ['value', 'NotOwnerError', 'NotFoundError'],
  private: ['value', 'NotFoundError', 'NotFoundError'],
} as const satisfies Record<string, Trio>;
/** Of several threads at once: whatever is not the caller's own is left as it is. */
const changesOwn = {
  public: ['value', 'absent', 'absent'],
  private: ['value', 'absent', 'absent'],
} as const satisfies Record<string, Trio>;
/** About a thing of the owner that no thread shares. */
const owned = (hidden: Outcome) => ({
  isApart: true as const,
  public: ['value', hidden, hidden] as const,
  private: ['value', hidden, hidden] as const,
});
const notSignedIn = ['NOT_SIGNED_IN', 'NOT_SIGNED_IN', 'NOT_SIGNED_IN'] as const;
/** No token is an administrator's: `test/graphql/identity/audit.test.ts` says what a browser gets. */
const noAdministrator = ['NOT_ADMINISTRATOR', 'NOT_ADMINISTRATOR', 'NOT_ADMINISTRATOR'] as const;
/** About the caller alone. */
const self = {
  isApart: true,
  public: ['value', 'value', 'value'],
  private: ['value', 'value', 'value'],
} as const;

/** For administrators at a browser: no token may do it, whoever it belongs to. */
const nobody = {
  isApart: true,
  public: ['NotAdministratorError', 'NotAdministratorError', 'NotAdministratorError'],
  private: ['NotAdministratorError', 'NotAdministratorError', 'NotAdministratorError'],
} as const satisfies Partial<Row>;

/** For its owner's own browsers: no token learns of it, not even one of theirs. */
const unseen = {
  isApart: true,
  public: ['absent', 'absent', 'absent'],
  private: ['absent', 'absent', 'absent'],
} as const satisfies Partial<Row>;
const untouched = {
  isApart: true,
  public: ['NotFoundError', 'NotFoundError', 'NotFoundError'],
  private: ['NotFoundError', 'NotFoundError', 'NotFoundError'],
} as const satisfies Partial<Row>;

const readThreads = 'threads:read' as const;
const writeThreads = 'threads:write' as const;

export const rows: Record<string, Row> = {
  'Query.me': { scope: 'me:read', ...self, arguments: () => ({}) },
  'Query.accessTokens': {
    ...{ scope: 'me:read', ...owned('absent') },
    arguments: () => ({}),
    finds: ({ tokenId }) => tokenId,
  },
  'Query.sessions': {
    ...{ scope: 'me:read', ...unseen },
    arguments: () => ({}),
    finds: ({ sessionId }) => sessionId,
  },
  'Query.auditEvents': {
    ...{ scope: 'me:read', isApart: true, public: noAdministrator, private: noAdministrator },
    arguments: () => ({}),
  },
  'Query.feedback': {
    ...{ scope: 'me:read', isApart: true, public: noAdministrator, private: noAdministrator },
    arguments: () => ({}),
  },
  'Query.budgets': {
    ...{ scope: 'me:read', isApart: true, public: noAdministrator, private: noAdministrator },
    arguments: () => ({}),
  },
  'Query.usage': {
    ...{ scope: 'me:read', isApart: true, public: noAdministrator, private: noAdministrator },
    arguments: () => ({}),
  },
  // No token gets one: `test/modules/export/data-export.test.ts` says what a browser gets.
  'Query.dataExport': {
    ...{ scope: 'me:read', isApart: true, public: notSignedIn, private: notSignedIn },
    arguments: () => ({}),
  },
  // What is in it is for the secrets to tell: the tags of private threads are among them.
  'Query.threadTags': { scope: readThreads, ...self, arguments: () => ({}) },
  'Query.models': { scope: readThreads, ...self, arguments: () => ({}) },
  'Query.members': { scope: 'me:read', ...self, arguments: () => ({}) },
  'Query.thread': { scope: readThreads, ...thread('NOT_FOUND'), arguments: ({ threadId }) => ({ id: threadId }) },
  'Query.threads': {
    ...{ scope: readThreads, ...thread('absent') },
    arguments: ({ name }) => ({ first: 2, filter: { archived: true, q: name } }),
    finds: ({ threadId }) => threadId,
  },
  'Query.message': {
    ...{ scope: readThreads, ...thread('NOT_FOUND') },
    arguments: ({ threadId, answerId }) => ({ threadId, id: answerId }),
  },
  'Query.response': {
    ...{ scope: readThreads, ...thread('NOT_FOUND') },
    arguments: ({ threadId, lastQuestionId }) => ({ threadId, messageId: lastQuestionId }),
  },
  'Query.node (a thread)': {
    ...{ scope: readThreads, ...thread('null'), only: 'Thread' },
    arguments: ({ threadId }) => ({ id: threadId }),
  },
  'Query.node (a message)': {
    ...{ scope: readThreads, ...thread('null'), only: 'Message' },
    arguments: ({ questionId }) => ({ id: questionId }),
  },
  'Query.node (an access token)': {
    ...{ scope: 'me:read', ...owned('null'), only: 'AccessToken' },
    arguments: ({ tokenId }) => ({ id: tokenId }),
  },
  'Subscription.responseEvents': {
    ...{ scope: readThreads, ...thread('NOT_FOUND') },
    // Of an earlier attempt, so that the restart is among the events of a response that runs.
    arguments: ({ lastQuestionId }) => ({ messageId: lastQuestionId, after: '1-1' }),
  },
  'Subscription.threadChanged': {
    ...{ scope: readThreads, ...thread('NOT_FOUND') },
    arguments: ({ threadId }) => ({ id: threadId }),
  },
  'Subscription.threadsChanged': {
    ...{ scope: readThreads, ...thread('absent') },
    arguments: ({ feedCursor }) => ({ after: feedCursor }),
    finds: ({ threadId }) => threadId,
  },
  'Subscription.threadPresence': {
    ...{ scope: readThreads, ...thread('NOT_FOUND') },
    arguments: ({ threadId }) => ({ threadId }),
  },
  'Mutation.createThread': {
    ...{ scope: writeThreads, inside: readThreads, ...self },
    arguments: () => ({ input: { text: 'Hi' } }),
  },
  'Mutation.sendMessage': {
    ...{ scope: writeThreads, inside: readThreads, ...members },
    arguments: ({ threadId }) => ({ input: { threadId, text: 'And?' } }),
  },
  'Mutation.continueThread': {
    ...{ scope: writeThreads, inside: readThreads, ...members },
    arguments: ({ threadId }) => ({ input: { threadId, text: 'And?' } }),
  },
  'Mutation.answerChoice': {
    ...{ scope: writeThreads, inside: readThreads, ...members },
    arguments: ({ threadId, choice }) => ({ input: { threadId, toolUseId: 'call', choice } }),
  },
  'Mutation.editMessage': {
    ...{ scope: writeThreads, inside: readThreads, ...members },
    arguments: ({ questionId }) => ({ input: { messageId: questionId, text: 'Or?' } }),
  },
  'Mutation.regenerateResponse': {
    ...{ scope: writeThreads, inside: readThreads, ...members },
    arguments: ({ questionId }) => ({ input: { messageId: questionId } }),
  },
  'Mutation.selectVariant': {
    ...{ scope: writeThreads, inside: readThreads, ...members },
    arguments: ({ variantId }) => ({ messageId: variantId }),
  },
  'Mutation.stopResponse': {
    ...{ scope: writeThreads, inside: readThreads, ...members, on: 'waiting' },
    arguments: ({ lastQuestionId }) => ({ messageId: lastQuestionId }),
  },
  'Mutation.resumeThread': {
    ...{ scope: writeThreads, inside: readThreads, ...members, on: 'interrupted' },
    arguments: ({ threadId }) => ({ id: threadId }),
  },
  'Mutation.renameThread': {
    ...{ scope: writeThreads, inside: readThreads, ...ownerAlone },
    arguments: ({ threadId }) => ({ input: { id: threadId, name: 'Rome' } }),
  },
  'Mutation.setThreadInstructions': {
    ...{ scope: writeThreads, inside: readThreads, ...ownerAlone },
    arguments: ({ threadId }) => ({ input: { id: threadId, instructions: 'Be brief.' } }),
  },
  'Mutation.setThreadTags': {
    ...{ scope: writeThreads, inside: readThreads, ...ownerAlone },
    arguments: ({ threadId }) => ({ input: { id: threadId, tags: ['Rome'] } }),
  },
  'Mutation.archiveThread': {
    ...{ scope: writeThreads, inside: readThreads, ...ownerAlone },
    arguments: ({ threadId }) => ({ id: threadId }),
  },
  'Mutation.unarchiveThread': {
    ...{ scope: writeThreads, inside: readThreads, ...ownerAlone, on: 'archived' },
    arguments: ({ threadId }) => ({ id: threadId }),
  },
  'Mutation.archiveThreads': {
    ...{ scope: writeThreads, ...changesOwn },
    arguments: ({ threadId }) => ({ ids: [threadId] }),
    finds: ({ threadId }) => threadId,
  },
  'Mutation.unarchiveThreads': {
    ...{ scope: writeThreads, ...changesOwn, on: 'archived' },
    arguments: ({ threadId }) => ({ ids: [threadId] }),
    finds: ({ threadId }) => threadId,
  },
  'Mutation.deleteThread': {
    ...{ scope: writeThreads, ...ownerAlone },
    arguments: ({ threadId }) => ({ id: threadId }),
  },
  'Mutation.setThreadPrivacy': {
    ...{ scope: writeThreads, inside: readThreads, ...ownerAlone },
    arguments: ({ threadId, isPrivate }) => ({ input: { id: threadId, isPrivate: !isPrivate } }),
  },
  'Mutation.markThreadRead': {
    ...{ scope: writeThreads, inside: readThreads, ...members },
    arguments: ({ threadId, answerId }) => ({ input: { threadId, messageId: answerId } }),
  },
  'Mutation.announceWriting': {
    ...{ scope: writeThreads, ...members, storesNothing: true },
    arguments: ({ threadId }) => ({ input: { threadId } }),
  },
  'Mutation.pinThread': {
    ...{ scope: writeThreads, inside: readThreads, ...members },
    arguments: ({ threadId }) => ({ id: threadId }),
  },
  'Mutation.unpinThread': {
    ...{ scope: writeThreads, inside: readThreads, ...members, on: 'archived' },
    arguments: ({ threadId }) => ({ id: threadId }),
  },
  'Mutation.submitFeedback': {
    ...{ scope: 'feedback:write', ...members },
    arguments: ({ threadId, answerId }) => ({
      input: { threadId, messageId: answerId, positive: false, text: 'Hm' },
    }),
  },
  'Mutation.withdrawFeedback': {
    ...{ scope: 'feedback:write', ...members },
    arguments: ({ threadId, answerId }) => ({ input: { threadId, messageId: answerId } }),
  },
  'Mutation.uploadAttachment': {
    ...{ scope: writeThreads, ...self },
    arguments: () => ({ input: { name: 'tea.txt', mediaType: 'text/plain', size: 3 } }),
  },
  'Mutation.importConversations': {
    ...{ scope: writeThreads, ...owned('NotFoundError') },
    arguments: ({ uploadId }) => ({ input: { attachmentId: uploadId } }),
  },
  'Mutation.setNewThreadPrivacy': {
    ...{ scope: writeThreads, ...self },
    arguments: () => ({ input: { isPrivate: true } }),
  },
  'Mutation.createAccessToken': {
    ...{ scope: 'tokens:write', ...self },
    arguments: () => ({ input: { name: 'New', scopes: ['TOKENS_WRITE'] } }),
  },
  'Mutation.inviteMember': {
    ...{ scope: 'me:read', ...nobody },
    arguments: () => ({ input: { email: 'new@acme.test', role: 'ADMIN' } }),
  },
  'Mutation.renewSignInLink': { scope: 'me:read', ...nobody, arguments: () => ({ memberId: 'usr_1' }) },
  'Mutation.changeMemberRole': {
    ...{ scope: 'me:read', ...nobody },
    arguments: () => ({ input: { id: 'usr_1', role: 'ADMIN' } }),
  },
  'Mutation.removeMember': { scope: 'me:read', ...nobody, arguments: () => ({ id: 'usr_1' }) },
  'Mutation.deleteMember': { scope: 'me:read', ...nobody, arguments: () => ({ memberId: 'usr_1' }) },
  'Mutation.setBudget': {
    ...{ scope: 'me:read', ...nobody },
    arguments: () => ({ input: { scope: 'ORGANIZATION', period: 'DAY', unit: 'TOKENS', maximum: 1 } }),
  },
  'Mutation.removeBudget': { scope: 'me:read', ...nobody, arguments: () => ({ id: 'bud_1' }) },
  'Mutation.endSession': {
    ...{ scope: 'me:read', ...untouched },
    arguments: ({ sessionId }) => ({ id: sessionId }),
  },
  // None of the callers' tokens made that one.
  'Mutation.revokeAccessToken': {
    ...{ scope: 'tokens:write', ...untouched },
    arguments: ({ tokenId }) => ({ id: tokenId }),
  },
};
