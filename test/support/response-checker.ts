/** Checks responses against the OpenAPI document: a status that it does not name, or a body of another shape, is an error. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../src/rest/openapi.js';

interface Documented {
  content?: Record<string, { schema: object }>;
}

interface Operation {
  template: RegExp;
  method: string;
  responses: Record<string, Documented>;
}

const document = openApiDocument({ prefix: '/api/v1', publicUrl: 'https://skein.test' }) as {
  paths: Record<string, Record<string, { responses: Record<string, Documented> }>>;
  components: object;
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const validators = new Map<object, ValidateFunction>();

const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { responses }]) => ({
    template: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    method: method.toUpperCase(),
    responses,
  })),
);

export interface CheckedResponse {
  method: string;
  /** Without the version prefix and the query. */
  path: string;
  status: number;
  contentType: string | null;
  /** Parsed JSON; undefined for an empty body or a stream. */
  body: unknown;
}

/** Throws where the response is not one that the document promises. Paths that it does not have are not checked. */
export function checkResponse({ method, path, status, contentType, body }: CheckedResponse): void {
  const operation = operations.find((candidate) => candidate.method === method && candidate.template.test(path));
  if (!operation) return;
  const documented = operation.responses[status] ?? operation.responses['default'];
  const where = `${method} ${path} → ${status}`;
  if (!documented || (status < 400 && !operation.responses[status]))
    throw new Error(`${where}: the document has no such status`);
  if (!documented.content) {
    if (body !== undefined)
      throw new Error(`${where}: the document promises no body, but there is ${JSON.stringify(body)}`);
    return;
  }
  const type = contentType?.split(';')[0] ?? '';
  const media = documented.content[type];
  if (!media)
    throw new Error(`${where}: content type ${contentType}, but the document says ${Object.keys(documented.content)}`);
  if (type !== 'text/event-stream') checkBody(media.schema, { body, where });
}

function checkBody(schema: object, { body, where }: { body: unknown; where: string }): void {
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components: document.components });
  validators.set(schema, validate);
  if (!validate(body)) {
    throw new Error(`${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body, null, 2)}`);
  }
}
