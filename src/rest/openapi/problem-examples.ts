/**
 * An example of every problem, rendered by the code that renders the problem itself, so that the OpenAPI document shows
 * what callers get.
 */
import {
  BudgetExceededError,
  IdempotencyKeyInUseError,
  IdempotencyKeyReusedError,
  InvalidCursorError,
  MissingScopeError,
  NotAnAnswerError,
  NotFoundError,
  ThreadNotReadyError,
  UnauthenticatedError,
  UnavailableError,
} from '../../errors.js';
import type { RestProblemCode } from '../../http/problems/codes.js';
import {
  internalProblem,
  invalidRequest,
  methodNotAllowed,
  notFound,
  type Problem,
  problemBody,
  tooMany,
  toProblem,
} from '../../http/problems/problems.js';
import type { RequestFault } from '../../http/problems/request-fault.js';
import { SlowBodyError } from '../../platform/fairness/overload-errors.js';
import type { Quota } from '../../platform/rates/quota.js';
import { RateLimitedError } from '../../platform/rates/rate-limited-error.js';
import type { Endpoint } from '../endpoint.js';
import type { JsonSchema } from '../json-schema.js';
import { bodyTooLarge, notJson } from '../request-body.js';
import { type SchemaName, schemas } from '../schemas.js';

const exceeded: Quota = {
  policy: { name: 'requests', limit: 60_000, seconds: 60 },
  isAllowed: false,
  remaining: 0,
  resetMs: 12_000,
};

const spent = { scope: 'user', period: 'month', unit: 'tokens', maximum: 1_000_000 } as const;

const rendered = (error: Error): Problem => toProblem(error) ?? internalProblem;

const problems: Record<RestProblemCode, Problem> = {
  missing_token: rendered(new UnauthenticatedError('missing')),
  invalid_token: rendered(new UnauthenticatedError('invalid')),
  insufficient_scope: rendered(new MissingScopeError('threads:write')),
  invalid_request: invalidRequest([{ pointer: '/text', message: 'is required' }]),
  invalid_cursor: rendered(new InvalidCursorError()),
  not_an_answer: rendered(new NotAnAnswerError()),
  not_found: rendered(new NotFoundError('thread')),
  response_failed: notFound('response_failed', 'The response could not be generated.'),
  response_interrupted: notFound('response_interrupted', 'Ada Lovelace stopped the response.'),
  method_not_allowed: methodNotAllowed('GET, HEAD, OPTIONS'),
  request_timeout: rendered(new SlowBodyError()),
  thread_not_ready: rendered(new ThreadNotReadyError('active')),
  idempotency_key_reuse: rendered(new IdempotencyKeyReusedError()),
  idempotency_key_in_use: rendered(new IdempotencyKeyInUseError()),
  payload_too_large: bodyTooLarge,
  unsupported_media_type: notJson,
  quota_exceeded: tooMany(
    'You have more than 1000 streams open. Close those that nobody reads, or try again in a few seconds.',
    '5',
  ),
  rate_limited: rendered(new RateLimitedError(exceeded)),
  budget_exceeded: rendered(new BudgetExceededError(spent, new Date('2026-12-01T00:00:00Z'))),
  internal_error: internalProblem,
  service_unavailable: rendered(new UnavailableError()),
};

/** Examples by code, as this endpoint returns them. */
export function problemExamples(codes: readonly RestProblemCode[], endpoint: Endpoint): JsonSchema {
  return Object.fromEntries(codes.map((code) => [code, { value: problemBody(problemOf(code, endpoint), requestId) }]));
}

function problemOf(code: RestProblemCode, endpoint: Endpoint): Problem {
  if (code === 'insufficient_scope') return rendered(new MissingScopeError(endpoint.operation.scope));
  if (code === 'invalid_request') return invalidRequest([faultOf(endpoint)]);
  if (code === 'not_found') return rendered(new NotFoundError(lastNounOf(endpoint.path)));
  return problems[code];
}

function faultOf({ body, query = {} }: Endpoint): RequestFault {
  if (body) return { pointer: `/${requiredOf(body)}`, message: 'is required' };
  if ('limit' in query) return { parameter: 'limit', message: 'must be a whole number' };
  return { parameter: 'page', message: 'is not a parameter of this endpoint' };
}

function requiredOf(body: SchemaName): unknown {
  const schema: JsonSchema = schemas[body];
  return (schema['required'] as string[])[0];
}

/** What the endpoint looks up last, which a typical 404 is about. */
function lastNounOf(path: string): 'thread' | 'message' | 'response' {
  if (path.includes('/response')) return 'response';
  return path.includes('{message-id}') ? 'message' : 'thread';
}

const requestId = '0b6f3b0c-4df4-4d0f-9a55-6f1d8a3b7c21';
