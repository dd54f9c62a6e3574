/**
 * The OpenAPI document, generated from the same objects as the routes. The version is 3.1.1 because few tools read 3.2.
 */

import { endpoints, type VersionPrefix } from './endpoints.js';
import type { JsonSchema } from './json-schema.js';
import { headers } from './openapi/headers.js';
import { describeOperation } from './openapi/operation.js';
import { withoutOwnKeywords } from './openapi/schema.js';
import { schemas } from './schemas.js';

export function openApiDocument({ prefix, publicUrl }: { prefix: VersionPrefix; publicUrl: string }): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: describeOperation(endpoint) };
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
    tags: [{ name: 'threads', description: 'Threads, their messages and responses, and the authenticated user.' }],
    paths,
    components: {
      securitySchemes: {
        personalAccessToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'A personal access token. Create one in the web application under API tokens.',
        },
      },
      headers,
      schemas: withoutOwnKeywords(schemas),
    },
  };
}
