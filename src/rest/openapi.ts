/**
 * The OpenAPI document, made from the very objects that make the routes. Version 3.1.1, because the tools that read 3.2
 * are few; the form of the stream's events stands under `x-itemSchema`.
 */
import type { DocumentedResponse, Endpoint } from './endpoint.js';
import type { JsonSchema } from './json-schema.js';
import { endpoints, type VersionPrefix } from './router.js';
import { schemas } from './schemas.js';

export function openApiDocument({ prefix, publicUrl }: { prefix: VersionPrefix; publicUrl: string }): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: describe(endpoint) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Skein',
      version: prefix === '/api/v1' ? '1.0.0' : '1.0.0-alpha.0',
      description:
        'Conversation threads with an AI assistant: create them, send messages, poll or stream the responses.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: `${publicUrl}${prefix}` }],
    security: [{ personalAccessToken: [] }],
    tags: [{ name: 'threads', description: 'Threads, their messages and responses, and who you are.' }],
    paths,
    components: {
      securitySchemes: {
        personalAccessToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'A personal access token, made in the web application under API tokens.',
        },
      },
      schemas: withoutOwnKeywords(schemas),
    },
  };
}

function describe(endpoint: Endpoint): JsonSchema {
  const { operationId, summary, description, body } = endpoint;
  return {
    operationId,
    tags: ['threads'],
    summary,
    ...(description ? { description } : {}),
    'x-required-scope': endpoint.operation.scope,
    parameters: [...pathParameters(endpoint.path), ...queryParameters(endpoint), ...headerParameters(endpoint)],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: ref(body) } } } } : {}),
    responses: responsesOf(endpoint),
  };
}

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/\{([a-z-]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'thread-id' ? 'Id of the thread.' : 'Id of the message.',
    schema: { type: 'string' },
  }));
}

function queryParameters({ query = {} }: Endpoint): unknown[] {
  return Object.entries(query).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema: withoutOwnKeywords(schema),
  }));
}

function headerParameters({ idempotent }: Endpoint): JsonSchema[] {
  const description =
    'Names this request: sent again within a day, it gets the same answer, and nothing is done twice.';
  const schema = { type: 'string', minLength: 1, maxLength: 255 };
  return idempotent ? [{ name: 'Idempotency-Key', in: 'header', description, schema }] : [];
}

function responsesOf(endpoint: Endpoint): JsonSchema {
  const own = Object.entries(endpoint.responses).map(([status, response]) => [status, responseOf(response)]);
  return {
    ...Object.fromEntries(own),
    401: responseOf({ description: 'Bearer token missing or invalid.', schema: 'Problem' }),
    403: responseOf({ description: 'Token lacks the scope that `required_scope` names.', schema: 'Problem' }),
    default: responseOf({
      description:
        'Input that cannot be used (400, 413, 415), a wrong method (405), too many streams (429), or a fault of the service (5xx).',
      schema: 'Problem',
    }),
  };
}

function responseOf({ description, schema, contentType }: DocumentedResponse): JsonSchema {
  if (!schema) return { description };
  const type = contentType ?? (schema === 'Problem' ? 'application/problem+json' : 'application/json');
  return { description, content: { [type]: { schema: ref(schema) } } };
}

function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** `storable` is our own keyword of validation; other tools would stumble over it. */
function withoutOwnKeywords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwnKeywords);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([keyword]) => keyword !== 'storable');
  return Object.fromEntries(kept.map(([keyword, inner]) => [keyword, withoutOwnKeywords(inner)]));
}
