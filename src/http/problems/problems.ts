/**
 * The only place that renders errors as problems (RFC 9457): it maps each code of `errors.ts` to a status. The table is
 * exhaustive: a new code without a status does not compile.
 */
import { GraphQLError } from 'graphql';
import type { ErrorCode, InputProblem } from '../../errors.js';
import type { ProblemCode } from './codes.js';
import { detailOf, type RequestFault } from './request-fault.js';

export interface Problem {
  status: number;
  code: ProblemCode;
  title: string;
  detail: string;
  /** Set only if the type is not one of ours. */
  type?: string;
  /** Further members of the body. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** An error that the HTTP layer itself raises. */
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
    this.name = 'ProblemError';
  }
}

/** The body of a problem. `requestId` is also in the log lines of the request and its `X-Request-Id` header. */
export function problemBody(problem: Problem, requestId: string): Record<string, unknown> {
  const { status, code, title, detail, members } = problem;
  const type = problem.type ?? `/problems/${code.replaceAll('_', '-')}`;
  return { type, title, status, detail, code, request_id: requestId, ...members };
}

/** The problem for an error; null for a defect. */
export function toProblem(error: unknown): Problem | null {
  if (error instanceof ProblemError) return error.problem;
  if (!(error instanceof GraphQLError)) return null;
  const code = error.extensions['code'];
  return typeof code === 'string' && code in renderers
    ? renderers[code as ErrorCode](error.message, error.extensions)
    : null;
}

export const internalProblem: Problem = {
  status: 500,
  code: 'internal_error',
  title: 'Internal error',
  detail: 'The request failed because of an internal error. Report the request id to the operator.',
};

type Render = (detail: string, extensions: Record<string, unknown>) => Problem;

const renderers: Record<ErrorCode, Render> = {
  UNAUTHENTICATED: (detail, { reason }) => ({
    status: 401,
    code: reason === 'missing' ? 'missing_token' : 'invalid_token',
    title: 'Unauthorized',
    detail,
    headers: {
      'WWW-Authenticate': reason === 'missing' ? 'Bearer realm="api"' : 'Bearer realm="api", error="invalid_token"',
    },
  }),
  MISSING_SCOPE: (detail, { requiredScope }) => ({
    status: 403,
    code: 'insufficient_scope',
    title: 'Forbidden',
    detail,
    members: { required_scope: requiredScope },
    headers: { 'WWW-Authenticate': `Bearer realm="api", error="insufficient_scope", scope="${requiredScope}"` },
  }),
  NOT_FOUND: (detail) => notFound('not_found', detail),
  INVALID_INPUT: (_detail, { errors }) =>
    invalidRequest((errors as InputProblem[]).map(({ field, message }) => ({ pointer: `/${field}`, message }))),
  INVALID_CURSOR: (detail) => ({
    ...invalidRequest([{ parameter: 'after', message: detail }]),
    code: 'invalid_cursor',
    title: 'Invalid cursor',
  }),
  NOT_AN_ANSWER: (detail) => ({
    ...invalidRequest([{ parameter: 'message-id', message: detail }]),
    code: 'not_an_answer',
  }),
  THREAD_NOT_READY: (detail, { state }) => ({
    ...conflict({ code: 'thread_not_ready', detail }),
    members: { thread_state: state },
    // Waiting helps only while a response is queued or running.
    ...(state === 'error' || state === 'interrupted' ? {} : { headers: { 'Retry-After': '1' } }),
  }),
  THREAD_NOT_INTERRUPTED: (detail, { state }) => ({
    ...conflict({ code: 'thread_not_interrupted', detail }),
    members: { thread_state: state },
  }),
  NOT_OWNER: (detail) => ({ status: 403, code: 'not_owner', title: 'Forbidden', detail }),
  NOT_ADMINISTRATOR: (detail) => ({ status: 403, code: 'not_administrator', title: 'Forbidden', detail }),
  NOT_SIGNED_IN: (detail) => ({ status: 403, code: 'not_signed_in', title: 'Forbidden', detail }),
  CHOICE_NOT_OPEN: (detail) => conflict({ code: 'choice_not_open', detail }),
  ATTACHMENT_QUOTA: (detail) => conflict({ code: 'attachment_quota', detail }),
  IDEMPOTENCY_KEY_REUSED: (detail) => conflict({ code: 'idempotency_key_reuse', detail }),
  IDEMPOTENCY_KEY_IN_USE: (detail) => ({
    ...conflict({ code: 'idempotency_key_in_use', detail }),
    headers: { 'Retry-After': '1' },
  }),
  LIMIT_EXCEEDED: (detail, { limit }) =>
    callersOwn.has(limit) ? tooMany(detail, limit === 'concurrency' ? '1' : '5') : unavailable(detail),
  REQUEST_TIMEOUT: requestTimeout,
  RATE_LIMITED: (detail, { limit, retryAfter }) => ({
    ...tooMany(detail, String(retryAfter)),
    code: 'rate_limited',
    members: { 'violated-policies': [limit] },
  }),
  BUDGET_EXCEEDED: (detail, { budget, renewsAt }) => ({
    status: 429,
    code: 'budget_exceeded',
    title: 'Budget exceeded',
    detail,
    headers: { 'Retry-After': secondsUntil(renewsAt as Date) },
    members: { budget, renews_at: (renewsAt as Date).toISOString() },
  }),
  UNAVAILABLE: unavailable,
};

function secondsUntil(moment: Date): string {
  return String(Math.max(1, Math.ceil((moment.getTime() - Date.now()) / 1000)));
}

/** Limits that callers reach by their own streams and operations. */
const callersOwn = new Set<unknown>(['streams', 'organizationStreams', 'concurrency']);

function conflict(problem: Pick<Problem, 'code' | 'detail'>): Problem {
  return { status: 409, title: 'Conflict', ...problem };
}

/** Closes the connection, because the rest of the body is not read. */
function requestTimeout(detail: string): Problem {
  const headers = { Connection: 'close' };
  return { status: 408, code: 'request_timeout', title: 'Request timeout', detail, headers };
}

/** The process is overloaded or the database does not answer: nothing that the caller could change. */
function unavailable(detail: string): Problem {
  return {
    status: 503,
    code: 'service_unavailable',
    title: 'Service unavailable',
    detail,
    headers: { 'Retry-After': '1' },
  };
}

/** Too many open streams, or requests or messages per minute. The type is the one that IANA registered for quotas. */
export function tooMany(detail: string, retryAfter: string): Problem {
  return {
    status: 429,
    code: 'quota_exceeded',
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
    title: 'Too many requests',
    detail,
    headers: { 'Retry-After': retryAfter },
  };
}

/** 405. `allow` is the value of the `Allow` header. */
export function methodNotAllowed(allow: string): Problem {
  return {
    status: 405,
    code: 'method_not_allowed',
    title: 'Method not allowed',
    detail: `This path supports ${allow}.`,
    headers: { Allow: allow },
  };
}

export function notFound(code: ProblemCode, detail: string): Problem {
  return { status: 404, code, title: 'Not found', detail };
}

export function invalidRequest(faults: readonly RequestFault[]): Problem {
  const detail = detailOf(faults);
  return { status: 400, code: 'invalid_request', title: 'Invalid request', detail, members: { errors: faults } };
}
