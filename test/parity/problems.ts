/** Every problem of REST and the error of GraphQL that says the same. */
import type { ErrorCode } from '../../src/errors.js';

/** By the code of the problem: the error's code. */
export const problems: Record<string, ErrorCode> = {
  missing_token: 'UNAUTHENTICATED',
  invalid_token: 'UNAUTHENTICATED',
  insufficient_scope: 'MISSING_SCOPE',
  not_found: 'NOT_FOUND',
  invalid_request: 'INVALID_INPUT',
  invalid_cursor: 'INVALID_CURSOR',
  not_an_answer: 'NOT_AN_ANSWER',
  thread_not_ready: 'THREAD_NOT_READY',
  thread_not_interrupted: 'THREAD_NOT_INTERRUPTED',
  not_owner: 'NOT_OWNER',
  not_administrator: 'NOT_ADMINISTRATOR',
  not_signed_in: 'NOT_SIGNED_IN',
  choice_not_open: 'CHOICE_NOT_OPEN',
  attachment_quota: 'ATTACHMENT_QUOTA',
  idempotency_key_reuse: 'IDEMPOTENCY_KEY_REUSED',
  idempotency_key_in_use: 'IDEMPOTENCY_KEY_IN_USE',
  quota_exceeded: 'LIMIT_EXCEEDED',
  rate_limited: 'RATE_LIMITED',
  budget_exceeded: 'BUDGET_EXCEEDED',
  request_timeout: 'REQUEST_TIMEOUT',
  service_unavailable: 'UNAVAILABLE',
};

/** Problems that are no error in GraphQL but a member of a union. */
export const members: Record<string, string> = {
  response_failed: 'ResponseFailed',
  response_interrupted: 'ResponseInterrupted',
};

/** Problems of HTTP itself, for which GraphQL has its own transport, and the defect, which has no name for callers. */
export const restOnly: Record<string, string> = {
  method_not_allowed: 'every operation of GraphQL is a POST',
  unsupported_media_type: 'the bodies of GraphQL over HTTP have their own rules',
  payload_too_large: 'likewise; there it is LIMIT_EXCEEDED with the limit `bytes`',
  possible_forgery: 'for requests with a cookie, which REST does not take: those of sign-in and of files',
  internal_error: 'INTERNAL_SERVER_ERROR, which no catalogue holds',
};

/** Errors that no endpoint of REST can come to, because the operation is none of REST. */
export const unreachable: Partial<Record<ErrorCode, string>> = {
  THREAD_NOT_INTERRUPTED: 'resumeThread',
  NOT_OWNER: 'renameThread and its like',
  NOT_ADMINISTRATOR: 'inviteMember and its like',
  NOT_SIGNED_IN: 'dataExport',
  CHOICE_NOT_OPEN: 'answerChoice',
  ATTACHMENT_QUOTA: 'uploadAttachment',
};

/** Errors that take a fault or thousands of streams to come to; other tests bring them about. */
export const elsewhere: Partial<Record<ErrorCode, string>> = {
  LIMIT_EXCEEDED: 'test/graphql/streams/subscription-limits.test.ts',
  RATE_LIMITED: 'test/rates/limits.test.ts',
  REQUEST_TIMEOUT: 'test/graphql/attachments/transfer-shares.test.ts',
  UNAVAILABLE: 'test/graphql/masking.test.ts',
};

/** The fields of a problem, and where the error has the same. */
export const fields: Record<string, string> = {
  detail: 'message',
  code: 'code',
  required_scope: 'extensions.requiredScope',
  thread_state: 'state',
  errors: 'problems, or extensions.errors',
  'violated-policies': 'extensions.limit',
  budget: 'scope, period, unit and maximum',
  renews_at: 'renewsAt',
};
export const fieldsRestOnly: Record<string, string> = {
  type: 'the form of RFC 9457',
  title: 'the form of RFC 9457',
  status: 'the form of RFC 9457',
  request_id: 'GraphQL has the header X-Request-Id',
};
