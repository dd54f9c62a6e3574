/** The problems that an endpoint does not choose itself: they come from the pipeline, by what the endpoint takes. */
import type { DocumentedProblem, Endpoint } from '../endpoint.js';

/** Problems by status, those of the endpoint itself among them. */
export function problemsOf(endpoint: Endpoint): Record<string, DocumentedProblem> {
  return {
    400: { description: 'A parameter, header or value of the body cannot be used.', codes: ['invalid_request'] },
    401: { description: 'Bearer token missing or invalid.', codes: ['missing_token', 'invalid_token'] },
    403: { description: 'Token lacks the scope that `required_scope` names.', codes: ['insufficient_scope'] },
    ...(endpoint.body ? ofBodies : {}),
    429: {
      description: 'Too many requests or streams. `Retry-After` says when to go on.',
      codes: ['quota_exceeded', 'rate_limited'],
    },
    500: { description: 'A defect of the service.', codes: ['internal_error'] },
    503: {
      description: 'The service has no answer just now. Look whether the change was made, then try again.',
      codes: ['service_unavailable'],
    },
    default: {
      description: 'A request that is refused before it reaches this operation, such as a wrong method (405).',
      codes: ['method_not_allowed'],
    },
    ...endpoint.problems,
  };
}

const ofBodies: Record<string, DocumentedProblem> = {
  408: { description: 'The body came too slowly.', codes: ['request_timeout'] },
  413: { description: 'The body is larger than 1 MiB.', codes: ['payload_too_large'] },
  415: { description: 'The body is not `application/json` in UTF-8.', codes: ['unsupported_media_type'] },
};
