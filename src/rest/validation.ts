/**
 * Validates input of REST. Query strings are parsed strictly by their declared type (ajv's own coercion accepts
 * `Infinity`, `0x10` and ` 5` as numbers), bodies are never coerced, and ajv checks both against the schemas of the
 * OpenAPI document.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { invalidRequest, ProblemError } from '../http/problems/problems.js';
import type { RequestFault } from '../http/problems/request-fault.js';
import { parseDateTime } from '../platform/date-time.js';
import type { Endpoint } from './endpoint.js';
import type { JsonSchema } from './json-schema.js';
import { schemas } from './schemas.js';

export interface Validator {
  /** Parses and checks the query. Throws a `ProblemError` (400) that names every invalid parameter. */
  query(search: URLSearchParams, options: { strict: boolean }): Record<string, unknown>;
  /** Checks the body. Throws a `ProblemError` (400) that points to every invalid value. */
  body(value: unknown, options: { strict: boolean }): unknown;
}

// The tests hold that the schemas are valid: to compile the meta-schema takes longer than all of them.
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, meta: false, validateSchema: false });
ajv.addKeyword({
  keyword: 'storable',
  type: 'string',
  validate: (_expected: boolean, value: string) => !value.includes('\u0000') && value.isWellFormed(),
});
ajv.addSchema({ $id: '#', components: { schemas } }, 'skein');

const validators = new WeakMap<Endpoint, Validator>();

/** The validator of an endpoint, whose schemas are compiled when the first request needs them, once in a process. */
export function validatorOf(endpoint: Endpoint): Validator {
  const validator = validators.get(endpoint) ?? createValidator(endpoint);
  validators.set(endpoint, validator);
  return validator;
}

function createValidator({ query = {}, body }: Endpoint): Validator {
  const checkQuery = ajv.compile({ type: 'object', properties: query });
  const checkBody = body ? ajv.compile(schemas[body]) : undefined;
  const fields = body ? Object.keys((schemas[body] as { properties: object }).properties) : [];
  return {
    query(search, { strict }) {
      const faults: RequestFault[] = [];
      const values = readQuery(search, query, faults);
      const unknown = [...new Set(search.keys())].filter((name) => strict && !Object.hasOwn(query, name));
      faults.push(...unknown.map((parameter) => ({ parameter, message: 'is not a parameter of this endpoint' })));
      if (!checkQuery(values)) faults.push(...faultsOf(checkQuery, 'parameter'));
      return passed(values, faults);
    },
    body(value, { strict }) {
      if (!checkBody) return undefined;
      const faults: RequestFault[] = checkBody(value) ? [] : faultsOf(checkBody, 'pointer');
      const given = typeof value === 'object' && value !== null ? Object.keys(value) : [];
      const unknown = given.filter((name) => strict && !fields.includes(name));
      faults.push(...unknown.map((name) => ({ pointer: pointerTo(name), message: 'is not a field of this body' })));
      return passed(value, faults);
    },
  };
}

function passed<T>(value: T, faults: RequestFault[]): T {
  if (faults.length > 0) throw new ProblemError(invalidRequest(faults));
  return value;
}

function readQuery(search: URLSearchParams, declared: Record<string, JsonSchema>, faults: RequestFault[]) {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(declared)) {
    const [text, ...more] = search.getAll(name);
    if (text === undefined) continue;
    const value = more.length > 0 ? { fault: 'must be given once' } : readValue(text, schema);
    if (typeof value === 'object') faults.push({ parameter: name, message: value.fault });
    else values[name] = value;
  }
  return values;
}

function readValue(text: string, schema: JsonSchema): string | number | boolean | { fault: string } {
  if (schema['type'] === 'integer') {
    return /^-?[0-9]+$/.test(text) ? wholeNumber(text) : { fault: 'must be a whole number' };
  }
  if (schema['type'] === 'boolean') {
    return text === 'true' || (text === 'false' ? false : { fault: 'must be true or false' });
  }
  if (schema['format'] === 'date-time') return readMoment(text);
  return text;
}

/** Clamps numbers with more digits than a double holds exactly; whether they are in range stays the same. */
function wholeNumber(text: string): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number(text), Number.MAX_SAFE_INTEGER));
}

/** An unencoded `+` arrives as a space. */
function readMoment(text: string): string | { fault: string } {
  const moment = parseDateTime(text.replace(/([T ]\S{0,99}) (\d{2}(?::?\d{2})?)$/i, '$1+$2'));
  return moment?.toISOString() ?? { fault: 'must be an ISO 8601 date-time such as 2026-11-20T17:29:00Z' };
}

function faultsOf<Kind extends 'parameter' | 'pointer'>(check: ValidateFunction, kind: Kind): RequestFault[] {
  const errors = check.errors ?? [];
  // Text that is empty or cannot be stored also fails the pattern, whose message says less or would mislead.
  const isExplained = ({ instancePath }: ErrorObject) =>
    errors.some(({ keyword, instancePath: other }) => /^(storable|minLength)$/.test(keyword) && other === instancePath);
  const telling = errors.filter((error) => error.keyword !== 'pattern' || !isExplained(error));
  return telling.map((error) => {
    const missing = error.keyword === 'required' ? pointerTo(String(error.params['missingProperty'])) : '';
    const path = error.instancePath + missing;
    const message = sentenceOf(error);
    return kind === 'parameter' ? { parameter: path.slice(1), message } : { pointer: path, message };
  });
}

function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function sentenceOf(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required';
  if (error.keyword === 'storable') return 'must not contain U+0000 or unpaired surrogates';
  if (error.keyword === 'pattern') return 'must not be empty or only white space';
  if (error.keyword === 'minLength') return 'must not be empty';
  if (error.keyword === 'enum') return `must be one of ${(error.params['allowedValues'] as string[]).join(', ')}`;
  if (error.keyword === 'type') return `must be ${[error.params['type']].flat().map(nameOfType).join(' or ')}`;
  if (error.keyword === 'maxLength') return `must be at most ${error.params['limit']} characters long`;
  if (error.keyword === 'minimum') return `must be at least ${error.params['limit']}`;
  return error.message ?? 'is not valid';
}

function nameOfType(type: string): string {
  const names: Record<string, string> = { object: 'a JSON object', string: 'a string', boolean: 'true or false' };
  return names[type] ?? type;
}
