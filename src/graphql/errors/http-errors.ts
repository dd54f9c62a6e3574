/** GraphQL errors as HTTP responses, for requests that fail as a whole. */
import { GraphQLError } from 'graphql';
import type { Context } from 'koa';

/** Extensions that are meant for the transport and removed from responses. */
interface Internals {
  http?: { status?: number; headers?: Record<string, string> };
  unexpected?: boolean;
}

/** An error that a transport itself raises. */
export function transportError(status: number, code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}

/** Answers OPTIONS with the methods of a path; throws a `GraphQLError` of status 405 for other methods. */
export function answerUnservedMethod(ctx: Context, methods: readonly string[]): void {
  const allow = methods.join(', ');
  ctx.set('Allow', allow);
  if (ctx.method !== 'OPTIONS') throw transportError(405, 'BAD_REQUEST', `This path supports ${allow}.`);
  ctx.status = 204;
}

/** Sends the error with the status and headers in its extensions. */
export function sendError(ctx: Context, error: GraphQLError): void {
  const { http } = error.extensions as Internals;
  ctx.status = http?.status ?? 500;
  ctx.set({ 'Cache-Control': 'no-store', ...http?.headers });
  ctx.body = { errors: [visibleError(error)] };
}

/** The error without internal extensions. */
function visibleError({ message, nodes, source, positions, path, extensions: all }: GraphQLError): GraphQLError {
  const { http: _, unexpected: __, ...extensions } = all as Internals & Record<string, unknown>;
  const place = { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
  return new GraphQLError(message, { ...place, extensions });
}
