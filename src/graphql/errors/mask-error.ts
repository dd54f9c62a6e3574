/**
 * Decides what callers learn of an error. Errors of `errors.ts` and of GraphQL pass; an unreachable database becomes
 * `UNAVAILABLE`. Anything else is a defect, which is logged here with the id of its request, and reaches the caller only as
 * "Unexpected error".
 */
import { GraphQLError, Kind } from 'graphql';
import type { Logger } from 'pino';
import { LoggedError, UnavailableError } from '../../errors.js';
import { isOutage } from '../../modules/database-errors.js';
import type { RequestSource } from '../../platform/rates/request-source.js';
import { shortened } from '../shortened.js';

/** `source` is the request in which the error happened, unless that was noted before. */
export type MaskError = (error: unknown, source?: RequestSource) => Error;

export function createMaskError(logger: Logger): MaskError {
  return (error, source) => {
    const cause = rootOf(error);
    if (cause instanceof UnavailableError) return at(error, unavailable());
    if (cause instanceof GraphQLError && isForCaller(error as GraphQLError)) return withCode(error as GraphQLError);
    logger.error({ err: cause, ...(source ?? sourceOfError(cause))?.logged }, 'an operation failed');
    return at(error, isOutage(cause) ? unavailable() : defect(), LoggedError);
  };
}

/** Whether an error tells the caller that they can change something, other than to try again. */
export function isOfCaller(error: unknown): boolean {
  const cause = rootOf(error);
  return cause instanceof GraphQLError && !(cause instanceof UnavailableError) && isForCaller(error as GraphQLError);
}

const sources = new WeakMap<object, RequestSource>();

/** Notes in which request an error happened, for where it is masked and only the error is known. */
export function noteSource(error: unknown, source: RequestSource): void {
  const cause = rootOf(error);
  if (typeof cause === 'object' && cause !== null) sources.set(cause, source);
}

function sourceOfError(cause: unknown): RequestSource | undefined {
  return typeof cause === 'object' && cause !== null ? sources.get(cause) : undefined;
}

function rootOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** Whether the error is meant for the caller. Errors that libraries throw within resolvers have no code and a path. */
function isForCaller({ extensions, path, nodes }: GraphQLError): boolean {
  return extensions['code'] !== undefined || !path || nodes?.[0]?.kind !== Kind.FIELD;
}

/** Adds a code to GraphQL's own errors about variables and arguments. */
function withCode(error: GraphQLError): GraphQLError {
  const { message, extensions } = error;
  const { code = 'BAD_USER_INPUT', http } = extensions;
  if (code === extensions['code'] && !ofWellFormed.has(code)) return error;
  // Yoga marks other errors itself: with `spec`, their status is 200 in a response of the type `application/json`.
  const spec = typeof http === 'object' && { http: { ...http, spec: true } };
  return at(error, new GraphQLError(shortened(message), { extensions: { ...extensions, code, ...spec } }));
}

/** Codes of errors of requests that are well-formed, as GraphQL over HTTP defines it, but cannot be executed. */
const ofWellFormed: ReadonlySet<unknown> = new Set(['OPERATION_RESOLUTION_FAILURE', 'BAD_USER_INPUT']);

/** `known`, with the location of `error` in the operation. */
function at(error: unknown, { message, extensions }: GraphQLError, ErrorType = GraphQLError): GraphQLError {
  const { nodes, path } = error instanceof GraphQLError ? error : new GraphQLError('');
  return new ErrorType(message, { nodes: nodes ?? null, path: path ?? null, extensions });
}

/** `unexpected` causes status 500 if there is no data; it is not sent. */
function defect(): GraphQLError {
  return new GraphQLError(
    'Unexpected error. Try again. If the error persists, report the request id to the operator.',
    {
      extensions: { code: 'INTERNAL_SERVER_ERROR', unexpected: true },
    },
  );
}

function unavailable(): GraphQLError {
  const { message, extensions } = new UnavailableError();
  const http = { status: 503, spec: true, headers: { 'retry-after': '1' } };
  return new GraphQLError(message, { extensions: { ...extensions, http } });
}
