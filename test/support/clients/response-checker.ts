/**
 * Checks responses against the OpenAPI document: a status that it does not name, a header that it does not declare, or a
 * body of another shape is an error. The tests' REST client checks everything that it receives, so that the whole suite
 * holds the document to what is sent.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../../src/rest/openapi.js';

interface Documented {
  headers: Record<string, { $ref: string }>;
  content?: Record<string, { schema: object }>;
}

interface Operation {
  template: RegExp;
  method: string;
  responses: Record<string, Documented>;
}

const document = openApiDocument({ prefix: '/api/v1', publicUrl: 'https://skein.test' }) as {
  paths: Record<string, Record<string, { responses: Record<string, Documented> }>>;
  components: { headers: Record<string, { required?: boolean; schema: { type: string } }> };
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const coercing = new Ajv2020({ strict: false, coerceTypes: true });
formats.default(coercing);
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
  headers: Headers;
  /** Parsed JSON; undefined for an empty body or a stream. */
  body: unknown;
}

/** Throws where the response is not one that the document promises. Paths that it does not have are not checked. */
export function checkResponse({ method, path, status, headers, body }: CheckedResponse): void {
  const asked = method === 'HEAD' ? 'GET' : method;
  const operation = operations.find((candidate) => candidate.method === asked && candidate.template.test(path));
  if (!operation) return;
  const where = `${method} ${path} → ${status}`;
  const documented = operation.responses[status];
  if (!documented) throw new Error(`${where}: the document has no such status`);
  checkHeaders(documented, { headers, where });
  if (!documented.content) {
    if (body !== undefined)
      throw new Error(`${where}: the document promises no body, but there is ${JSON.stringify(body)}`);
    return;
  }
  const contentType = headers.get('content-type');
  const type = contentType?.split(';')[0] ?? '';
  const media = documented.content[type];
  if (!media)
    throw new Error(`${where}: content type ${contentType}, but the document says ${Object.keys(documented.content)}`);
  if (method !== 'HEAD' && type !== 'text/event-stream') checkBody(media.schema, { body, where });
}

/** What HTTP itself, browsers and proxies read. Everything else that is sent must be declared for the operation. */
const generalHeaders =
  /^(access-control-.+|cache-control|connection|content-(encoding|length|security-policy|type)|cross-origin-resource-policy|date|keep-alive|permissions-policy|referrer-policy|strict-transport-security|transfer-encoding|vary|x-accel-buffering|x-content-type-options)$/;

function checkHeaders(documented: Documented, { headers, where }: { headers: Headers; where: string }): void {
  const declared = Object.keys(documented.headers).map((name) => name.toLowerCase());
  const unknown = [...headers.keys()].filter((name) => !generalHeaders.test(name) && !declared.includes(name));
  if (unknown.length > 0) throw new Error(`${where}: the document does not declare the headers ${unknown}`);
  for (const name of Object.keys(documented.headers)) checkHeader(name, headers.get(name), where);
}

function checkHeader(name: string, value: string | null, where: string): void {
  const header = document.components.headers[name];
  if (!header) throw new Error(`${where}: the header ${name} is declared nowhere`);
  if (value === null) {
    if (header.required) throw new Error(`${where}: the header ${name} is missing`);
    return;
  }
  // In its own object, because only what is a property can be coerced from the text that a header is.
  const schema = validators.get(header) ?? coercing.compile({ properties: { value: header.schema } });
  validators.set(header, schema);
  if (!schema({ value })) throw new Error(`${where}: ${name}: ${value}: ${coercing.errorsText(schema.errors)}`);
}

/** Members that the schema does not name are refused also where it leaves room for more, as for problems. */
function checkBody(schema: object, { body, where }: { body: unknown; where: string }): void {
  const exact = { ...schema, unevaluatedProperties: false, components: document.components };
  const validate = validators.get(schema) ?? ajv.compile(exact);
  validators.set(schema, validate);
  if (!validate(body)) {
    throw new Error(`${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body, null, 2)}`);
  }
}
