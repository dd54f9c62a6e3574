/**
 * The errors that callers may see. Each has a stable code, and its message states the problem and, where the caller can
 * do something about it, the next step. Any other error is a defect: it is logged, and callers only see "Unexpected
 * error". Callers tell errors apart by their codes, which `http/problems/problems.ts` maps to the statuses of REST; only a missing
 * or invalid token says its status itself, because GraphQL over HTTP needs it with its challenge.
 */
import { GraphQLError } from 'graphql';
import type { BudgetTerms, Scope, ThreadStateName } from './contract.js';

export const errorCodes = [
  'UNAUTHENTICATED',
  'MISSING_SCOPE',
  'NOT_FOUND',
  'INVALID_INPUT',
  'INVALID_CURSOR',
  'NOT_AN_ANSWER',
  'THREAD_NOT_READY',
  'THREAD_NOT_INTERRUPTED',
  'NOT_OWNER',
  'NOT_ADMINISTRATOR',
  'NOT_SIGNED_IN',
  'CHOICE_NOT_OPEN',
  'ATTACHMENT_QUOTA',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'LIMIT_EXCEEDED',
  'RATE_LIMITED',
  'BUDGET_EXCEEDED',
  'REQUEST_TIMEOUT',
  'UNAVAILABLE',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** An invalid value of the input, and why it is invalid. `field` is the path to the value in the input. */
export interface InputProblem {
  field: string;
  message: string;
}

/** An expected error. Its message is written for the caller. */
export class DomainError extends GraphQLError {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message, { extensions: { code, ...details } });
    this.code = code;
  }
}

/** The class of an error that always has the same message. */
function fixedError(code: ErrorCode, message: string) {
  return class extends DomainError {
    constructor() {
      super(code, message);
    }
  };
}

/** What the caller is told of an error that is in the log, with its cause. */
export class LoggedError extends GraphQLError {}

/** How a session ended, as far as it is still known. */
export const sessionEnds = ['signed_out', 'expired', 'member_removed'] as const;
export type SessionEnd = (typeof sessionEnds)[number];

/** No token was sent, the token is unknown, expired or revoked, or the browser is no longer signed in. */
export class UnauthenticatedError extends DomainError {
  constructor(
    readonly reason: 'missing' | 'invalid' | 'signed_out',
    sessionEnd: SessionEnd | null = null,
  ) {
    super('UNAUTHENTICATED', unauthenticated[reason], { reason, ...(sessionEnd && { sessionEnd }) });
    const challenge = `Bearer realm="api"${reason === 'invalid' ? ', error="invalid_token"' : ''}`;
    this.extensions['http'] = { status: 401, headers: { 'www-authenticate': challenge } };
  }
}

export class MissingScopeError extends DomainError {
  constructor(readonly requiredScope: Scope) {
    super('MISSING_SCOPE', `The access token lacks the scope "${requiredScope}". Create one that has it.`, {
      requiredScope,
    });
  }
}

/** The object does not exist or the caller may not see it. Callers cannot tell which. */
export class NotFoundError extends DomainError {
  constructor(what: 'thread' | 'message' | 'response' | 'attachment' | 'access token' | 'session' | 'user' | 'budget') {
    super('NOT_FOUND', `The ${what} does not exist or is not visible to you.`);
  }
}

export class InvalidInputError extends DomainError {
  constructor(readonly problems: readonly InputProblem[]) {
    super('INVALID_INPUT', problems.map((problem) => `${problem.field}: ${problem.message}`).join('; '), {
      errors: problems,
    });
  }
}

export class InvalidCursorError extends fixedError(
  'INVALID_CURSOR',
  'The cursor does not belong to an item of this list. Start again without it.',
) {}

export class NotAnAnswerError extends fixedError(
  'NOT_AN_ANSWER',
  'Only assistant messages can be rated. Rate the answer to this message.',
) {}

/** The thread accepts a message only in `ready` (specification, States, rule 1). */
export class ThreadNotReadyError extends DomainError {
  constructor(readonly state: ThreadStateName) {
    super('THREAD_NOT_READY', notReady[state], { state });
  }
}

export class ThreadNotInterruptedError extends DomainError {
  constructor(readonly state: ThreadStateName) {
    super('THREAD_NOT_INTERRUPTED', `Only an interrupted thread can be resumed. ${notReady[state]}`, { state });
  }
}

/** The caller can see the thread, but only its owner may change it. */
export class NotOwnerError extends fixedError(
  'NOT_OWNER',
  'Only the owner can change or delete a thread. Ask the owner, or continue the conversation in a thread of your own.',
) {}

/** Only a person at a browser can manage members, so that no leaked token can create an account. */
export class NotAdministratorError extends fixedError(
  'NOT_ADMINISTRATOR',
  'Only an administrator who is signed in to the web application can do this.',
) {}

/** What concerns the whole person is theirs to do at a browser, so that no leaked token can. */
export class NotSignedInError extends fixedError(
  'NOT_SIGNED_IN',
  'Only a person who is signed in to the web application can do this, not an access token.',
) {}

/** A question can be answered only while the thread ends with it. */
export class ChoiceNotOpenError extends fixedError(
  'CHOICE_NOT_OPEN',
  'The thread no longer ends with this question: it was answered, or other messages followed. Read the newest messages, and send a message instead.',
) {}

/** The number or total size of unsent attachments, or the storage of a user or organization, is limited. */
export class AttachmentQuotaError extends DomainError {
  constructor(limit: 'attachment-storage' | 'unsent-attachments', message: string) {
    super('ATTACHMENT_QUOTA', message, { limit });
  }
}

/** A budget is used up. Nothing was done, and the same request succeeds when the budget has renewed or is raised. */
export class BudgetExceededError extends DomainError {
  constructor(
    readonly budget: BudgetTerms,
    readonly renewsAt: Date,
  ) {
    super('BUDGET_EXCEEDED', spentSentence(budget, renewsAt), { limit: `${budget.scope}-budget`, budget, renewsAt });
  }
}

/** A key identifies exactly one request. */
export class IdempotencyKeyReusedError extends fixedError(
  'IDEMPOTENCY_KEY_REUSED',
  'This Idempotency-Key was used for a different request. Use a new key for each request.',
) {}

export class IdempotencyKeyInUseError extends fixedError(
  'IDEMPOTENCY_KEY_IN_USE',
  'The first request with this Idempotency-Key is still running. Try again in a second.',
) {}

/** The database cannot be reached, or the outcome of a commit is unknown. The caller may check and try again. */
export class UnavailableError extends fixedError(
  'UNAVAILABLE',
  'The service is temporarily unavailable. If you asked for a change, check whether it was made, then try again.',
) {}

const unauthenticated: Record<UnauthenticatedError['reason'], string> = {
  missing: 'Send a personal access token as "Authorization: Bearer <token>".',
  invalid: 'The access token is unknown, expired or revoked. Create a new one in the settings, under API tokens.',
  signed_out: 'You are no longer signed in. Sign in again.',
};

const notReady: Record<ThreadStateName, string> = {
  ready: 'The thread has just become ready. Try again.',
  waiting: 'A response is queued in this thread. Wait for it to end, then try again.',
  active: 'The assistant is responding in this thread. Wait for the response to end, then try again.',
  error: 'The thread failed and accepts no more messages. Continue the conversation in a new thread.',
  interrupted:
    'The last response was interrupted. Resume the thread with GraphQL, send in the web application, or create a new thread.',
};

/** Says nothing of "you", because all who see the thread may read it there. */
function spentSentence({ scope, period, unit, maximum }: BudgetTerms, renewsAt: Date): string {
  const owner = scope === 'token' ? 'access token' : scope;
  const kind = `${period === 'day' ? 'daily' : 'monthly'} ${unit === 'tokens' ? 'token' : 'cost'} budget`;
  const amount = maximum.toLocaleString('en-US', { maximumFractionDigits: 6 });
  const [day, time = ''] = renewsAt.toISOString().split('T');
  return `The ${owner}'s ${kind} of ${amount} is used up. It renews on ${day} at ${time.slice(0, 5)} UTC. Try again then, or ask an administrator to raise it.`;
}
