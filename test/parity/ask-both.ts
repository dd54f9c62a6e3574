/** One request, sent to both: to REST as it is described, to GraphQL as the table of counterparts says. */

import { ask } from '../graphql/attacks/ask-anything.js';
import type { GraphQLResult } from '../support/clients/graphql-client.js';
import { RestClient, type RestReply } from '../support/clients/rest-client.js';
import { inputs } from './counterparts.js';
import { type EndpointCounterpart, endpoints, operationOf } from './endpoints.js';
import { operations } from './rest-objects.js';
import { at } from './translate.js';

/** A request in the words of REST. */
export interface Request {
  /** The `operationId`. */
  endpoint: string;
  token: string | undefined;
  /** Of the path, the query and the headers. */
  parameters?: Record<string, string | number | boolean>;
  body?: Record<string, unknown>;
}

export interface GraphqlAnswer {
  /** The type of the value, or the code of the error with what it names. */
  outcome: string;
  value: unknown;
  results: GraphQLResult[];
  /** What the error or the refusal says. */
  failure: Record<string, unknown>;
}

export function counterpartOf(endpoint: string): EndpointCounterpart {
  const found = endpoints[endpoint];
  if (!found) throw new Error(`There is no counterpart of ${endpoint}.`);
  return found;
}

export function operationNamed(endpoint: string) {
  const found = operations.find(({ operationId }) => operationId === endpoint);
  if (!found) throw new Error(`REST has no ${endpoint}.`);
  return found;
}

/** Sends it to REST. A stream is not read. */
export async function askRest(origin: string, request: Request): Promise<RestReply<Record<string, unknown>>> {
  const { method, path, parameters } = operationNamed(request.endpoint);
  const given = (kind: string) =>
    parameters
      .filter(({ name, in: place }) => place === kind && request.parameters?.[name] !== undefined)
      .map(({ name }) => [name, String(request.parameters?.[name])]);
  const values = Object.fromEntries(given('path'));
  const full = path.replaceAll(/\{([^}]+)\}/g, (_match, name: string) => encodeURIComponent(values[name] ?? ''));
  const search = new URLSearchParams(given('query'));
  const rest = new RestClient({ origin, prefix: '/api/v1', token: request.token });
  const headers = {
    ...Object.fromEntries(given('header')),
    ...(request.body ? { 'content-type': 'application/json' } : {}),
  };
  const init = { method, headers, ...(request.body ? { body: JSON.stringify(request.body) } : {}) };
  return rest.request(search.size > 0 ? `${full}?${search}` : full, init);
}

/** The variables of the operation that is the request's counterpart. */
function variablesOf(request: Request): Record<string, unknown> {
  const { parameters, outcomes: _, ...counterpart } = counterpartOf(request.endpoint);
  const described = operationNamed(request.endpoint);
  const variables: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(request.parameters ?? {})) {
    const isEnum = described.parameters.find((parameter) => parameter.name === name)?.schema.enum;
    put(variables, parameters[name] ?? `${name} has no counterpart`, isEnum ? String(value).toUpperCase() : value);
  }
  const fields = inputs[counterpart.body ?? '']?.fields ?? {};
  for (const [name, value] of Object.entries(request.body ?? {})) {
    put(variables, `input.${fields[name] ?? `${name} has no counterpart`}`, value);
  }
  return variables;
}

function put(into: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const inner = (into[name] ?? {}) as Record<string, unknown>;
  into[name] = inner;
  put(inner, rest.join('.'), value);
}

/** Sends its counterpart to GraphQL; of a subscription comes what comes until `isLast`, or the end. */
export async function askGraphql(
  origin: string,
  request: Request,
  isLast: (result: GraphQLResult) => boolean = () => false,
): Promise<GraphqlAnswer> {
  const counterpart = counterpartOf(request.endpoint);
  const variables = variablesOf(request);
  const query = operationOf(counterpart, variables);
  const results = await ask({ url: `${origin}/graphql`, token: request.token, query, variables, isLast });
  const field = counterpart.root.split('.')[1] ?? '';
  const below = counterpart.value ? `.${counterpart.value}` : '';
  const value = at(results[0]?.data, `${field}${below}`);
  const [error] = results.flatMap(({ errors }) => errors ?? []);
  if (error) {
    const { code, reason } = error.extensions ?? {};
    const failure = { message: error.message, ...error.extensions, problems: error.extensions?.['errors'] };
    return { outcome: [code, reason].filter(Boolean).join(' '), value, results, failure };
  }
  const outcome = results.length === 0 ? 'no event at all' : String(at(value, '__typename'));
  return { outcome, value, results, failure: (value ?? {}) as Record<string, unknown> };
}
