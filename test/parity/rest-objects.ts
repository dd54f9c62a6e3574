/** The objects of the OpenAPI document by name, its variants and events each under a name of their own. */
import { openApiDocument } from '../../src/rest/openapi.js';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: Schema;
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  contentSchema?: Schema;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
}

export interface Operation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema; 'x-itemSchema'?: Schema }> }>;
}

export const document = openApiDocument({ prefix: '/api/v1', publicUrl: 'https://skein.test' }) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export const schemas = document.components.schemas;

/** Every operation, with where it is. */
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
);

export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1);
}

const streamed = operations.find(({ operationId }) => operationId === 'streamResponse')?.responses[200]?.content;

/** Content blocks and events, by the value that tells them apart. */
const variants: [string, Schema][] = [
  ...(schemas['ContentBlock']?.oneOf ?? []).map((reference): [string, Schema] => {
    const block = schemas[nameOf(reference) ?? ''] ?? {};
    return [`ContentBlock ${block.properties?.['type']?.const}`, block];
  }),
  ...(streamed?.['text/event-stream']?.['x-itemSchema']?.oneOf ?? []).map((event): [string, Schema] => [
    `event ${event.properties?.['event']?.const}`,
    event,
  ]),
];

export const objects: Record<string, Schema> = { ...schemas, ...Object.fromEntries(variants) };

/** The names of an object's fields. What an event carries counts as its own, and so does the `id:` line. */
export function fieldsOf(name: string): string[] {
  const properties = objects[name]?.properties ?? {};
  if (!name.startsWith('event ')) return Object.keys(properties);
  const data = properties['data']?.contentSchema?.properties ?? {};
  return ['event', 'id', ...Object.keys(data).map((field) => `data.${field}`)];
}
