/** Generates an operation of the OpenAPI document from its endpoint. */
import type { DocumentedProblem, DocumentedResponse, Endpoint } from '../endpoint.js';
import type { JsonSchema } from '../json-schema.js';
import { ref, streamedEvent } from '../schemas.js';
import { examplesOf } from './examples.js';
import { problemsOf } from './general-problems.js';
import { type HeaderName, headersOf, idempotencyKey, lastEventId, requestHeaders } from './headers.js';
import { problemExamples } from './problem-examples.js';
import { withoutOwnKeywords } from './schema.js';

export function describeOperation(endpoint: Endpoint): JsonSchema {
  const { operationId, summary, description, body } = endpoint;
  return {
    operationId,
    tags: ['threads'],
    summary,
    ...(description ? { description } : {}),
    'x-required-scope': endpoint.operation.scope,
    parameters: [...pathParameters(endpoint.path), ...queryParameters(endpoint), ...headerParameters(endpoint)],
    ...(body ? { requestBody: { required: true, content: contentOf(body) } } : {}),
    responses: { ...successesOf(endpoint), ...failuresOf(endpoint) },
  };
}

const pathExamples = { 'thread-id': 'thr_01j9zkq4m3e8r2t6w0y5x7c1va', 'message-id': 'msg_01j9zkq4m4d2k7n3p8s1v6b0gf' };

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/\{([a-z-]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: `Id of the ${name === 'thread-id' ? 'thread' : messageOf(path)}.`,
    schema: { type: 'string' },
    example: pathExamples[name as keyof typeof pathExamples],
  }));
}

/** A rating is of the answer, all else of the question that it answers. */
function messageOf(path: string): string {
  return path.endsWith('/feedback') ? 'assistant message' : 'user message';
}

function queryParameters({ query = {} }: Endpoint): unknown[] {
  return Object.entries(query).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema: withoutOwnKeywords(schema),
  }));
}

function headerParameters({ idempotent, resumable }: Endpoint): JsonSchema[] {
  return [...(idempotent ? [idempotencyKey] : []), ...(resumable ? [lastEventId] : []), ...requestHeaders];
}

function successesOf({ responses }: Endpoint): JsonSchema {
  const all = Object.entries(responses).map(([status, response]) => [status, successOf(response)]);
  return Object.fromEntries(all);
}

function successOf({ description, schema, contentType, headers }: DocumentedResponse): JsonSchema {
  const content = schema ? { content: contentOf(schema, contentType) } : {};
  return { description, headers: headersOf(headers), ...content };
}

function contentOf(schema: string, contentType = 'application/json'): JsonSchema {
  // OpenAPI 3.2 calls this `itemSchema`.
  const item = contentType === 'text/event-stream' ? { 'x-itemSchema': streamedEvent } : {};
  return { [contentType]: { schema: ref(schema), ...item, examples: examplesOf(schema) } };
}

function failuresOf(endpoint: Endpoint): JsonSchema {
  const all = Object.entries(problemsOf(endpoint)).map(([status, problem]) => [
    status,
    failureOf(endpoint, status, problem),
  ]);
  return Object.fromEntries(all);
}

const headersByStatus: Record<string, readonly HeaderName[]> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  default: ['Allow', 'Retry-After'],
};

function failureOf(endpoint: Endpoint, status: string, { description, codes }: DocumentedProblem): JsonSchema {
  const examples = problemExamples(codes, endpoint);
  const content = { 'application/problem+json': { schema: ref('Problem'), examples } };
  return { description, headers: headersOf(headersByStatus[status]), content };
}
