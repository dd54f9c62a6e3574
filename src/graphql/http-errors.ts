/** Answers to a whole request, in the form that a client of GraphQL reads whatever the status. */
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Context } from 'koa';

/** What extensions tell a transport, and no caller. */
interface Internals {
  http?: { status?: number; headers?: Record<string, string> };
  unexpected?: boolean;
}

/** A refusal that a transport itself decides on. */
export function transportError(status: number, code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}

/** Answers OPTIONS with the methods of a path; throws a `GraphQLError` of status 405 for what is not among them. */
export function refuseMethod(ctx: Context, methods: readonly string[]): void {
  const allow = methods.join(', ');
  ctx.set('Allow', allow);
  if (ctx.method !== 'OPTIONS') throw transportError(405, 'BAD_REQUEST', `This path supports ${allow}.`);
  ctx.status = 204;
}

/** Sends the error with the status and the headers that it asks for. */
export function refuse(ctx: Context, error: GraphQLError): void {
  const { http } = error.extensions as Internals;
  ctx.status = http?.status ?? 500;
  ctx.set({ 'Cache-Control': 'no-store', ...http?.headers });
  ctx.body = { errors: [visibleError(error)] };
}

/** A result as its caller gets it. */
export function visibleResult({ errors, ...result }: ExecutionResult): ExecutionResult {
  return errors ? { ...result, errors: errors.map(visibleError) } : result;
}

function visibleError({ message, nodes, source, positions, path, extensions: all }: GraphQLError): GraphQLError {
  const { http: _, unexpected: __, ...extensions } = all as Internals & Record<string, unknown>;
  const place = { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
  return new GraphQLError(message, { ...place, extensions });
}
