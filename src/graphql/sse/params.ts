/** Reads the parameters of an operation from a request to `/graphql/stream`. The pipeline validates them. */
import type { GraphQLParams } from 'graphql-yoga';
import type { Context } from 'koa';
import { transportError } from '../errors/http-errors.js';
import { readRequestBody } from '../request-body.js';

/** Throws a `GraphQLError` with status 400, 413 or 415. */
export async function readParams(ctx: Context): Promise<GraphQLParams> {
  if (ctx.method === 'GET') return paramsOfSearch(new URLSearchParams(ctx.querystring));
  const text = new TextDecoder().decode(await readRequestBody(ctx));
  const value = parseJson(text, 'The body');
  if (!isObject(value)) throw malformed('The body is no JSON object.');
  return value;
}

function paramsOfSearch(search: URLSearchParams): GraphQLParams {
  const params: Record<string, unknown> = {};
  for (const name of ['query', 'operationName', 'documentId']) {
    if (search.has(name)) params[name] = search.get(name);
  }
  for (const name of ['variables', 'extensions']) {
    const text = search.get(name);
    if (text) params[name] = parseJson(text, `"${name}"`);
  }
  return params;
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw malformed(`${what} is not valid JSON.`);
    throw error;
  }
}

function isObject(value: unknown): value is GraphQLParams {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(message: string) {
  return transportError(400, 'BAD_REQUEST', message);
}
