/**
 * All codes of problems. Clients depend on them, so the list is closed: a problem with another code does not compile,
 * and the OpenAPI document lists the codes of REST.
 */

/** Codes of the operations of REST. */
export const restProblemCodes = [
  'missing_token',
  'invalid_token',
  'insufficient_scope',
  'invalid_request',
  'invalid_cursor',
  'not_an_answer',
  'not_found',
  'response_failed',
  'response_interrupted',
  'method_not_allowed',
  'request_timeout',
  'thread_not_ready',
  'idempotency_key_reuse',
  'idempotency_key_in_use',
  'payload_too_large',
  'unsupported_media_type',
  'quota_exceeded',
  'rate_limited',
  'budget_exceeded',
  'internal_error',
  'service_unavailable',
] as const;
export type RestProblemCode = (typeof restProblemCodes)[number];

/** Codes of attachments, sign-in, errors that only GraphQL can cause, and requests that are rejected before routing. */
type OtherProblemCode =
  | 'already_uploaded'
  | 'attachment_quota'
  | 'choice_not_open'
  | 'not_administrator'
  | 'not_implemented'
  | 'not_owner'
  | 'not_signed_in'
  | 'possible_forgery'
  | 'provider_unavailable'
  | 'thread_not_interrupted';

export type ProblemCode = RestProblemCode | OtherProblemCode;
