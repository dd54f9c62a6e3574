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
const forOwner = (hidden: Outcome) =>
  ({ public: ['value', hidden, hidden], private: ['value', hidden, hidden] }) as const;
const ownerAlone = {
  public: ['value', 'NotOwnerError', 'NotFoundError'],
  private: ['value', 'NotFoundError', 'NotFoundError'],
} as const satisfies Record<string, Trio>;
/** Of several threads at once: whatever is not the caller's own is left as it is. */
const changesOwn = forOwner('absent');
/** About a thing of the owner that no thread shares. */
const owned = (hidden: Outcome) => ({ isApart: true as const, ...forOwner(hidden) });
/** The same for all three, whatever becomes of the thread. */
const everybody = (outcome: Outcome) => {
  const trio = [outcome, outcome, outcome] as const;
  return { isApart: true as const, public: trio, private: trio };
};
/** About the caller alone. */
const self = everybody('value');
/** No token is an administrator's: `test/graphql/identity/audit.test.ts` says what a browser gets. */
const noAdministrator = everybody('NOT_ADMINISTRATOR');
/** For administrators at a browser: no token may do it, whoever it belongs to. */
const nobody = everybody('NotAdministratorError');
/** For its owner's own browsers: no token learns of it, not even one of theirs. */
const unseen = everybody('absent');
const untouched = everybody('NotFoundError');

type Sights = Pick<Row, 'public' | 'private' | 'isApart'>;
type More = Partial<Pick<Row, 'finds' | 'only' | 'on' | 'storesNothing'>>;

/** Rows whose field needs this scope, and for what is inside of what it gives that one. */
const needing =
  (scope: Scope, inside?: Scope) =>
  (sights: Sights, args: Row['arguments'] = () => ({}), more: More = {}): Row => ({
    ...{ scope, ...(inside && { inside }), ...sights, arguments: args, ...more },
  });
const aboutMe = needing('me:read');
const reads = needing('threads:read');
const writes = needing('threads:write');
/** It gives the thread or the message that it has changed. */
const changes = needing('threads:write', 'threads:read');
const rates = needing('feedback:write');
const ofTokens = needing('tokens:write');

const threadId = ({ threadId: id }: Target) => id;
const byId = ({ threadId: id }: Target) => ({ id });
const byIds = ({ threadId: id }: Target) => ({ ids: [id] });
const toThread = ({ threadId: id }: Target) => ({ input: { threadId: id, text: 'And?' } });
const toAnswer = ({ threadId: id, answerId }: Target) => ({ input: { threadId: id, messageId: answerId } });
/** Changes a field of the thread. */
const to = (change: object) => (target: Target) => ({ input: { id: target.threadId, ...change } });

export const rows: Record<string, Row> = {
  'Query.me': aboutMe(self),
  'Query.accessTokens': aboutMe(owned('absent'), undefined, { finds: ({ tokenId }) => tokenId }),
  'Query.sessions': aboutMe(unseen, undefined, { finds: ({ sessionId }) => sessionId }),
  'Query.auditEvents': aboutMe(noAdministrator),
  'Query.feedback': aboutMe(noAdministrator),
  'Query.budgets': aboutMe(noAdministrator),
  'Query.usage': aboutMe(noAdministrator),
  // No token gets one: `test/modules/export/data-export.test.ts` says what a browser gets.
  'Query.dataExport': aboutMe(everybody('NOT_SIGNED_IN')),
  // What is in it is for the secrets to tell: the tags of private threads are among them.
  'Query.threadTags': reads(self),
  'Query.models': reads(self),
  'Query.members': aboutMe(self),
  'Query.thread': reads(thread('NOT_FOUND'), byId),
  'Query.threads': reads(thread('absent'), ({ name }) => ({ first: 2, filter: { archived: true, q: name } }), {
    finds: threadId,
  }),
  'Query.message': reads(thread('NOT_FOUND'), (target) => ({ threadId: target.threadId, id: target.answerId })),
  'Query.response': reads(thread('NOT_FOUND'), (target) => ({
    ...{ threadId: target.threadId, messageId: target.lastQuestionId },
  })),
  'Query.node (a thread)': reads(thread('null'), byId, { only: 'Thread' }),
  'Query.node (a message)': reads(thread('null'), ({ questionId }) => ({ id: questionId }), { only: 'Message' }),
  'Query.node (an access token)': aboutMe(owned('null'), ({ tokenId }) => ({ id: tokenId }), { only: 'AccessToken' }),
  // Of an earlier attempt, so that the restart is among the events of a response that runs.
  'Subscription.responseEvents': reads(thread('NOT_FOUND'), (target) => ({
    ...{ messageId: target.lastQuestionId, after: '1-1' },
  })),
  'Subscription.threadChanged': reads(thread('NOT_FOUND'), byId),
  'Subscription.threadsChanged': reads(thread('absent'), ({ feedCursor }) => ({ after: feedCursor }), {
    finds: threadId,
  }),
  'Subscription.threadPresence': reads(thread('NOT_FOUND'), (target) => ({ threadId: target.threadId })),
  'Mutation.createThread': changes(self, () => ({ input: { text: 'Hi' } })),
  'Mutation.sendMessage': changes(members, toThread),
  'Mutation.continueThread': changes(members, toThread),
  'Mutation.answerChoice': changes(members, ({ choice, ...target }) => ({
    input: { threadId: target.threadId, toolUseId: 'call', choice },
  })),
  'Mutation.editMessage': changes(members, ({ questionId }) => ({ input: { messageId: questionId, text: 'Or?' } })),
  'Mutation.regenerateResponse': changes(members, ({ questionId }) => ({ input: { messageId: questionId } })),
  'Mutation.selectVariant': changes(members, ({ variantId }) => ({ messageId: variantId })),
  'Mutation.stopResponse': changes(members, (target) => ({ messageId: target.lastQuestionId }), { on: 'waiting' }),
  'Mutation.resumeThread': changes(members, byId, { on: 'interrupted' }),
  'Mutation.renameThread': changes(ownerAlone, to({ name: 'Rome' })),
  'Mutation.setThreadInstructions': changes(ownerAlone, to({ instructions: 'Be brief.' })),
  'Mutation.setThreadTags': changes(ownerAlone, to({ tags: ['Rome'] })),
  'Mutation.archiveThread': changes(ownerAlone, byId),
  'Mutation.unarchiveThread': changes(ownerAlone, byId, { on: 'archived' }),
  'Mutation.archiveThreads': writes(changesOwn, byIds, { finds: threadId }),
  'Mutation.unarchiveThreads': writes(changesOwn, byIds, { on: 'archived', finds: threadId }),
  'Mutation.deleteThread': writes(ownerAlone, byId),
  'Mutation.setThreadPrivacy': changes(ownerAlone, (target) => to({ isPrivate: !target.isPrivate })(target)),
  'Mutation.markThreadRead': changes(members, toAnswer),
  'Mutation.announceWriting': writes(members, (target) => ({ input: { threadId: target.threadId } }), {
    storesNothing: true,
  }),
  'Mutation.pinThread': changes(members, byId),
  'Mutation.unpinThread': changes(members, byId, { on: 'archived' }),
  'Mutation.submitFeedback': rates(members, (target) => ({
    input: { ...toAnswer(target).input, positive: false, text: 'Hm' },
  })),
  'Mutation.withdrawFeedback': rates(members, toAnswer),
  'Mutation.uploadAttachment': writes(self, () => ({ input: { name: 'tea.txt', mediaType: 'text/plain', size: 3 } })),
  'Mutation.importConversations': writes(owned('NotFoundError'), ({ uploadId }) => ({
    input: { attachmentId: uploadId },
  })),
  'Mutation.setNewThreadPrivacy': writes(self, () => ({ input: { isPrivate: true } })),
  'Mutation.createAccessToken': ofTokens(self, () => ({ input: { name: 'New', scopes: ['TOKENS_WRITE'] } })),
  'Mutation.inviteMember': aboutMe(nobody, () => ({ input: { email: 'new@acme.test', role: 'ADMIN' } })),
  'Mutation.renewSignInLink': aboutMe(nobody, () => ({ memberId: 'usr_1' })),
  'Mutation.changeMemberRole': aboutMe(nobody, () => ({ input: { id: 'usr_1', role: 'ADMIN' } })),
  'Mutation.removeMember': aboutMe(nobody, () => ({ id: 'usr_1' })),
  'Mutation.deleteMember': aboutMe(nobody, () => ({ memberId: 'usr_1' })),
  'Mutation.setBudget': aboutMe(nobody, () => ({
    input: { scope: 'ORGANIZATION', period: 'DAY', unit: 'TOKENS', maximum: 1 },
  })),
  'Mutation.removeBudget': aboutMe(nobody, () => ({ id: 'bud_1' })),
  'Mutation.endSession': aboutMe(untouched, ({ sessionId }) => ({ id: sessionId })),
  // None of the callers' tokens made that one.
  'Mutation.revokeAccessToken': ofTokens(untouched, ({ tokenId }) => ({ id: tokenId })),
};
