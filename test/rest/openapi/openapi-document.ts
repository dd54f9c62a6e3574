/** What the tests read of the description that the service gives of itself. */

import type { RestClient } from '../../support/clients/rest-client.js';
import { serviceTest } from '../../support/fixtures/service.js';

interface Parameter {
  name: string;
  in: string;
  description: string;
  required?: boolean;
  schema: Record<string, unknown>;
}

/** What is described under a media type. */
export interface Content {
  schema?: { $ref?: string };
  examples?: Record<string, { value: unknown }>;
}

interface Operation {
  operationId: string;
  'x-required-scope': string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<
    string,
    { description: string; headers: Record<string, unknown>; content?: Record<string, Content> }
  >;
}

export interface OpenApiDocument extends Record<string, unknown> {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: object; required?: string[] }> };
}

export async function readDocument(rest: RestClient): Promise<OpenApiDocument> {
  return (await rest.get<OpenApiDocument>('/openapi.json')).body;
}

/** Tests of the description, as the service gives it to callers. */
export const it = serviceTest().extend('document', { scope: 'file' }, ({ service }) => readDocument(service.client()));

/** Every operation, under a name such as `GET /threads/{thread_id}`. */
export function operationsOf({ paths }: OpenApiDocument): (readonly [string, Operation])[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
}
