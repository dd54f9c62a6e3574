/**
 * The headers of requests and responses, as the OpenAPI document declares them. The tests check every response against
 * this list.
 */
import { textLimits } from '../../contract.js';
import type { JsonSchema } from '../json-schema.js';

const text = { type: 'string' };
const seconds = { type: 'integer', minimum: 0 };

/** Response headers by name. */
export const headers = {
  'X-Request-Id': {
    description: 'Id of the request: the one that the client sent, or a new one. Quote it when you report an error.',
    required: true,
    schema: text,
    example: '0b6f3b0c-4df4-4d0f-9a55-6f1d8a3b7c21',
  },
  RateLimit: {
    description:
      'The remaining requests of each applicable quota, and the seconds until it resets (draft-ietf-httpapi-ratelimit-headers).',
    schema: text,
    example: '"requests";r=59998;t=41',
  },
  'RateLimit-Policy': {
    description: 'The quotas that apply to the request (draft-ietf-httpapi-ratelimit-headers).',
    schema: text,
    example: '"requests";q=60000;w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying the request. Absent if waiting does not help.',
    schema: seconds,
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate and, if a token was sent, why it was rejected (RFC 6750).',
    required: true,
    schema: text,
    example: 'Bearer realm="api", error="invalid_token"',
  },
  Location: {
    description: 'URL of the created thread or, after a message, of the messages of its thread.',
    required: true,
    schema: { ...text, format: 'uri-reference' },
    example: '/api/v1/threads/thr_01j9zkq4m3e8r2t6w0y5x7c1va',
  },
  'Idempotency-Replayed': {
    description: 'Present if this is the response to an earlier request with the same `Idempotency-Key`.',
    schema: { ...text, const: 'true' },
    example: 'true',
  },
  Allow: {
    description: 'With status 405: the methods that the path supports.',
    schema: text,
    example: 'GET, HEAD, OPTIONS',
  },
} as const satisfies Record<string, JsonSchema>;

export type HeaderName = keyof typeof headers;

/** Headers that any response can have. */
const general: readonly HeaderName[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

/** References to the general headers and the named ones, for one response. */
export function headersOf(names: readonly HeaderName[] = []): JsonSchema {
  return Object.fromEntries([...general, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers that every request may have. */
export const requestHeaders: readonly JsonSchema[] = [
  {
    name: 'Prefer',
    in: 'header',
    description:
      'With `handling=strict`, unknown query parameters and body fields are rejected with status 400 (RFC 7240).',
    schema: text,
    example: 'handling=strict',
  },
  {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Id for this request, which the service logs. Must be 1 to 128 letters, digits, `.`, `_` or `-`; otherwise ignored.',
    schema: text,
    example: 'checkout-4711',
  },
];

export const idempotencyKey: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Identifies this request. A repeated request with the same key within 24 hours returns the first response and changes nothing.',
  schema: { ...text, minLength: 1, maxLength: textLimits.key.max, pattern: '^[\\x20-\\x7e]+$' },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
};

export const lastEventId: JsonSchema = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The `id` of the last event received. The stream resumes after it.',
  schema: text,
  example: '1-42',
};
