/** What is wrong with an answer, by what is documented: nothing may be a fault of the service, whatever was asked. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createParser } from 'eventsource-parser';
import { errorCodes } from '../../src/errors.js';
import { document, schemas } from '../parity/rest-objects.js';
import { checkResponse } from '../support/clients/response-checker.js';
import type { Reply } from './fuzz-client.js';
import type { GeneratedRequest } from './generated-request.js';

/** Codes of errors of GraphQL: those of the catalogue, and those of the language and its transports. */
export const graphqlCodes: ReadonlySet<unknown> = new Set([
  ...errorCodes,
  ...['BAD_USER_INPUT', 'BAD_REQUEST', 'CONFLICT', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED'],
  ...['OPERATION_RESOLUTION_FAILURE', 'NOT_ACCEPTABLE', 'PERSISTED_QUERY_NOT_FOUND', 'PERSISTED_QUERY_NOT_SUPPORTED'],
  ...['POSSIBLE_FORGERY', 'RATE_LIMITED', 'UNSUPPORTED_MEDIA_TYPE'],
]);

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const isRestProblem: ValidateFunction = ajv.compile({
  $ref: '#/components/schemas/Problem',
  components: document.components,
});

const { code: _, ...otherMembers } = schemas['Problem']?.properties ?? {};
/** Files and sign-in have codes of their own, which the document does not list. */
const isProblem: ValidateFunction = ajv.compile({
  ...schemas['Problem'],
  properties: { ...otherMembers, code: { type: 'string' } },
});

/** What keeps the body from being a problem of the documented shape; null where nothing does. */
function problemFault(body: unknown, isOfRest: boolean): string | null {
  const validate = isOfRest ? isRestProblem : isProblem;
  return validate(body) ? null : ajv.errorsText(validate.errors);
}

/** Null where the answer is as documented. */
export function faultOf(generated: GeneratedRequest, reply: Reply): string | null {
  const { about, method } = generated;
  const { status, body } = reply;
  if (status >= 500) return `a fault of the service: ${body.slice(0, 300)}`;
  // Node's own words, before there is a request: a head that is too large, or an expectation that nobody has.
  if (about === 'raw' || status === 431 || status === 417) return null;
  if (status < 200) return 'no final status';
  if (method === 'HEAD') return body === '' ? null : 'HEAD was answered with a body';
  const type = reply.headers['content-type'] ?? '';
  if (type.startsWith('application/problem+json')) return problemFault(jsonOf(body), about === 'rest');
  if (about === 'graphql' || about === 'graphql stream') return graphqlFault(reply, type);
  if (about === 'rest' && isBelowPrefix(generated.path)) return restFault(generated, reply, type);
  if (status < 400) return null;
  return about === 'auth' ? authFault(reply, type) : `an error that is no problem: ${type}`;
}

function isBelowPrefix(path: string): boolean {
  return /^\/api\/v1(-alpha0)?\//.test(path);
}

function restFault({ method, path }: GeneratedRequest, { status, headers, body }: Reply, type: string): string | null {
  if (status >= 400) return `an error that is no problem: ${type}`;
  const place = path.replace(/^\/api\/v1(-alpha0)?/, '').split('?')[0] ?? '';
  const content = type.includes('json') ? jsonOf(body) : body === '' ? undefined : body;
  try {
    checkResponse({
      method,
      path: place,
      status,
      headers: new Headers(headers as Record<string, string>),
      body: content,
    });
    return null;
  } catch (error) {
    return String(error);
  }
}

/** Pages for people, and what the sign-in library says. */
function authFault({ body }: Reply, type: string): string | null {
  if (type.startsWith('text/html')) return null;
  const { code, message } = (jsonOf(body) ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string' && typeof message === 'string' ? null : `an error without a code: ${body}`;
}

interface Result {
  data?: unknown;
  errors?: { message?: unknown; extensions?: { code?: unknown } }[];
}

function graphqlFault({ status, body }: Reply, type: string): string | null {
  if (type.startsWith('text/event-stream')) return firstFault(resultsIn(body));
  const parts = type.startsWith('multipart/mixed')
    ? body.split(/\r\n\r\n|\r\n---/).filter((part) => part.startsWith('{'))
    : [body];
  if (type.includes('json') || type.startsWith('multipart/mixed'))
    return firstFault(parts.map((part) => jsonOf(part) as Result));
  return status < 400 ? null : `an error that is no JSON: ${type} ${body.slice(0, 100)}`;
}

function firstFault(results: readonly (Result | undefined)[]): string | null {
  for (const result of results) {
    if (!result || !('data' in result || 'errors' in result)) return `no result: ${JSON.stringify(result)}`;
    for (const error of result.errors ?? []) {
      const code = error.extensions?.code;
      if (!graphqlCodes.has(code)) return `an error with the code ${String(code)}: ${String(error.message)}`;
    }
  }
  return null;
}

/** The results of a stream, of one operation or of many. */
function resultsIn(body: string): Result[] {
  const results: Result[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event !== 'next' || data === '') return;
      const value = jsonOf(data) as Result & { payload?: Result };
      results.push(value?.payload ?? value);
    },
  });
  parser.feed(body);
  return results;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
