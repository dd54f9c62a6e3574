/** The problems that the pipeline adds to those of an endpoint, depending on what the endpoint accepts. */
import type { DocumentedProblem, Endpoint } from '../endpoint.js';

/** All problems of an endpoint by status, its own included. */
export function problemsOf(endpoint: Endpoint): Record<string, DocumentedProblem> {
  return {
    400: { description: 'A parameter, header or value of the body is invalid.', codes: ['invalid_request'] },
    401: { description: 'The bearer token is missing or invalid.', codes: ['missing_token', 'invalid_token'] },
    403: { description: 'The token lacks the scope in `required_scope`.', codes: ['insufficient_scope'] },
    ...(endpoint.body ? ofBodies : {}),
    429: {
      description: 'Too many requests or open streams. Retry after the seconds in `Retry-After`.',
      codes: ['quota_exceeded', 'rate_limited'],
    },
    500: { description: 'An internal error.', codes: ['internal_error'] },
    503: {
      description:
        'The service is temporarily unavailable. If you asked for a change, check whether it was made, then try again.',
      codes: ['service_unavailable'],
    },
    default: {
      description:
        'The request was rejected before it reached this operation, for example because of a wrong method (405).',
      codes: ['method_not_allowed'],
    },
    ...(endpoint.isPaid ? ofPaid : {}),
    ...endpoint.problems,
  };
}

/** A message leads to a call of the model. */
const ofPaid: Record<string, DocumentedProblem> = {
  429: {
    description:
      'Too many requests, messages or open streams, or a budget is used up. Retry after the seconds in `Retry-After`.',
    codes: ['quota_exceeded', 'rate_limited', 'budget_exceeded'],
  },
};

const ofBodies: Record<string, DocumentedProblem> = {
  408: { description: 'The body arrived too slowly.', codes: ['request_timeout'] },
  413: { description: 'The body is larger than 1 MiB.', codes: ['payload_too_large'] },
  415: { description: 'The body is not `application/json` in UTF-8.', codes: ['unsupported_media_type'] },
};
