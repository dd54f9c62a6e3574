/** The headers of answers and requests as the OpenAPI document declares them; the tests hold every answer against this list. */
import type { JsonSchema } from '../json-schema.js';

const text = { type: 'string' };
const seconds = { type: 'integer', minimum: 0 };

/** Headers of answers, by their names on the wire. */
export const headers = {
  'X-Request-Id': {
    description: 'Id of the request: the one that the caller sent, or a new one. Quote it to the operator.',
    required: true,
    schema: text,
    example: '0b6f3b0c-4df4-4d0f-9a55-6f1d8a3b7c21',
  },
  RateLimit: {
    description:
      'What is left of each quota that applies, and the seconds until it is whole again (draft-ietf-httpapi-ratelimit-headers).',
    schema: text,
    example: '"requests";r=59998;t=41',
  },
  'RateLimit-Policy': {
    description: 'The quotas that apply to the request (draft-ietf-httpapi-ratelimit-headers).',
    schema: text,
    example: '"requests";q=60000;w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is sent again. Absent where waiting does not help.',
    schema: seconds,
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate, and what is wrong with the token (RFC 6750).',
    required: true,
    schema: text,
    example: 'Bearer realm="api", error="invalid_token"',
  },
  Location: {
    description: 'Where to find what was created.',
    required: true,
    schema: { ...text, format: 'uri-reference' },
    example: '/api/v1/threads/thr_01j9zkq4m3e8r2t6w0y5x7c1va',
  },
  'Idempotency-Replayed': {
    description: 'Present when this is the answer of an earlier request with the same Idempotency-Key.',
    schema: { ...text, const: 'true' },
    example: 'true',
  },
  Allow: {
    description: 'On 405: the methods that the path takes.',
    schema: text,
    example: 'GET, HEAD, OPTIONS',
  },
} as const satisfies Record<string, JsonSchema>;

export type HeaderName = keyof typeof headers;

/** Headers that any answer can have. */
const general: readonly HeaderName[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

/** References to the general headers and to those named, for one response. */
export function headersOf(names: readonly HeaderName[] = []): JsonSchema {
  return Object.fromEntries([...general, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers that every request may have. */
export const requestHeaders: readonly JsonSchema[] = [
  {
    name: 'Prefer',
    in: 'header',
    description: 'With `handling=strict`, unknown query parameters and body fields are a 400 (RFC 7240).',
    schema: text,
    example: 'handling=strict',
  },
  {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'An id for this request, to be found in logs. Ignored unless it is 1 to 128 letters, digits, `.`, `_` or `-`.',
    schema: text,
    example: 'checkout-4711',
  },
];

export const idempotencyKey: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names this request: when it is sent again within 24 hours, it gets the same answer and nothing is done twice.',
  schema: { ...text, minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
};

export const lastEventId: JsonSchema = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The `id` of the last event that was received; the stream goes on after it.',
  schema: text,
  example: '1-42',
};
