/** What the generator and the judge read of the OpenAPI document: operations, schemas, and the shape of a problem. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../src/rest/openapi.js';

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

export interface RestOperation {
  parameters?: { name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema } | undefined> };
}

const document = openApiDocument({ prefix: '/api/v1', publicUrl: 'https://skein.test' }) as unknown as {
  paths: Record<string, Record<string, RestOperation>>;
  components: Record<string, Record<string, JsonSchema>>;
};

/** Every operation: its path, its method in capitals, and what the document says of it. */
export const restOperations: readonly (readonly [path: string, method: string, operation: RestOperation])[] =
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, operation]) => [path, method.toUpperCase(), operation] as const),
  );

/** What a reference to a component stands for; anything else as it is. */
export function resolved<Value extends { $ref?: string }>(value: Value): Value {
  const [, kind = '', name = ''] = /^#\/components\/([^/]+)\/(.+)$/.exec(value.$ref ?? '') ?? [];
  return (document.components[kind]?.[name] as Value | undefined) ?? value;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const isRestProblem: ValidateFunction = ajv.compile({
  $ref: '#/components/schemas/Problem',
  components: document.components,
});

const { code: _, ...otherMembers } = document.components['schemas']?.['Problem']?.properties ?? {};
/** Files and sign-in have codes of their own, which the document does not list. */
const isProblem: ValidateFunction = ajv.compile({
  ...document.components['schemas']?.['Problem'],
  properties: { ...otherMembers, code: { type: 'string' } },
});

/** What keeps the body from being a problem of the documented shape; null where nothing does. */
export function problemFault(body: unknown, isOfRest: boolean): string | null {
  const validate = isOfRest ? isRestProblem : isProblem;
  return validate(body) ? null : ajv.errorsText(validate.errors);
}
