/**
 * The catalogue of errors that callers may see. Each has a stable code and a sentence that tells the reader what to do
 * next; everything else that is thrown is a defect: it is logged and reaches callers only as "Unexpected error".
 * The domain knows codes, never HTTP statuses: `rest/problems.ts` has the one table from code to status.
 */
import { GraphQLError } from 'graphql';
import type { Scope } from './modules/identity/scopes.js';
import type { ThreadStateName } from './modules/threads/state.js';

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
  'CHOICE_NOT_OPEN',
  'ATTACHMENT_QUOTA',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'LIMIT_EXCEEDED',
  'RATE_LIMITED',
  'REQUEST_TIMEOUT',
  'UNAVAILABLE',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** One value of the input that cannot be used, and why. `field` is the path to it, as the caller wrote it. */
export interface InputProblem {
  field: string;
  message: string;
}

/** An expected outcome that is not a success. Its message is for the caller. */
export class DomainError extends GraphQLError {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message, { extensions: { code, ...details } });
    this.code = code;
  }
}

/** No token was sent, or the one that was sent is unknown, expired or revoked; or a browser is no longer signed in. */
export class UnauthenticatedError extends DomainError {
  constructor(readonly reason: 'missing' | 'invalid' | 'signed_out') {
    super('UNAUTHENTICATED', unauthenticated[reason], { reason });
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

/** The object does not exist or the caller may not see it: the two are never told apart. */
export class NotFoundError extends DomainError {
  constructor(what: 'thread' | 'message' | 'response' | 'attachment' | 'access token' | 'session' | 'user') {
    super('NOT_FOUND', `There is no such ${what}, or it is not visible to you.`);
  }
}

export class InvalidInputError extends DomainError {
  constructor(readonly problems: readonly InputProblem[]) {
    super('INVALID_INPUT', problems.map((problem) => `${problem.field}: ${problem.message}`).join('; '), {
      errors: problems,
    });
  }
}

export class InvalidCursorError extends DomainError {
  constructor() {
    super('INVALID_CURSOR', 'The cursor names no item of this list. Start again without "after".');
  }
}

export class NotAnAnswerError extends DomainError {
  constructor() {
    super('NOT_AN_ANSWER', 'Only messages of the assistant can be rated.');
  }
}

/** The thread accepts a message only in `ready` (specification, States, rule 1). */
export class ThreadNotReadyError extends DomainError {
  constructor(readonly state: ThreadStateName) {
    super('THREAD_NOT_READY', notReady[state], { state });
  }
}

export class ThreadNotInterruptedError extends DomainError {
  constructor(readonly state: ThreadStateName) {
    super('THREAD_NOT_INTERRUPTED', 'Only a thread that was interrupted can be resumed.', { state });
  }
}

/** The thread is visible to the caller, but what was asked for is its owner's alone. */
export class NotOwnerError extends DomainError {
  constructor() {
    super(
      'NOT_OWNER',
      'Only the owner of a thread can change its name, put it away or make it private. Ask the owner, or continue it in a thread of your own.',
    );
  }
}

/** Whoever may let others in is a person at a browser: no token can be turned into an account. */
export class NotAdministratorError extends DomainError {
  constructor() {
    super('NOT_ADMINISTRATOR', 'Only an administrator who is signed in to the web application can do this.');
  }
}

/** An answer counts only while its question is the last thing that was said in the thread. */
export class ChoiceNotOpenError extends DomainError {
  constructor() {
    super(
      'CHOICE_NOT_OPEN',
      'The thread does not end with this question: it was answered, or the conversation has gone on. Read the newest messages, and send a message instead.',
    );
  }
}

/** A user may have only so much that was not sent, and a user or an organization only so much in all. */
export class AttachmentQuotaError extends DomainError {
  constructor(message: string) {
    super('ATTACHMENT_QUOTA', message);
  }
}

/** One key stands for one request. */
export class IdempotencyKeyReusedError extends DomainError {
  constructor() {
    super(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another request. Take a new key for a new request.',
    );
  }
}

export class IdempotencyKeyInUseError extends DomainError {
  constructor() {
    super(
      'IDEMPOTENCY_KEY_IN_USE',
      'The first request with this Idempotency-Key is still in progress. Try again in a second.',
    );
  }
}

/** The database could not be reached, or the outcome of a commit is unknown: the caller may look and try again. */
export class UnavailableError extends DomainError {
  constructor() {
    super('UNAVAILABLE', 'The service cannot answer just now. Look whether the change was made, then try again.');
  }
}

const unauthenticated: Record<UnauthenticatedError['reason'], string> = {
  missing: 'Send a personal access token as "Authorization: Bearer <token>".',
  invalid: 'The access token is unknown, expired or revoked. Create a new one in the settings, under API tokens.',
  signed_out: 'You are no longer signed in. Sign in again.',
};

const notReady: Record<ThreadStateName, string> = {
  ready: 'The thread became ready in this moment. Send the message again.',
  waiting: 'A message of this thread still waits for its response. Wait for the response, then send.',
  active: 'The assistant is answering in this thread. Wait for the response, then send.',
  error: 'The thread ended with an error and accepts no more messages. Create a new thread that starts with a summary.',
  interrupted: 'The last response was interrupted, and the thread accepts no message until it is resumed.',
};
