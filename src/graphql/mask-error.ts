/**
 * What a caller learns of an error. Errors of the catalogue and of GraphQL itself pass; a database that cannot be reached
 * becomes `UNAVAILABLE`; a text that no database can hold is the caller's; anything else is a defect, which is logged here
 * and reaches the caller as "Unexpected error" alone.
 */
import { GraphQLError, Kind } from 'graphql';
import type { Logger } from 'pino';
import { InvalidInputError, UnavailableError } from '../errors.js';
import { isOutage, isUnstorableText } from './database-errors.js';
import { shortened } from './shortened.js';

export function createMaskError(logger: Logger): (error: unknown) => Error {
  return (error) => {
    const cause = rootOf(error);
    if (cause instanceof UnavailableError) return at(error, unavailable());
    if (cause instanceof GraphQLError && isForCaller(error as GraphQLError)) return withCode(error as GraphQLError);
    if (isUnstorableText(cause)) return at(error, unstorable);
    logger.error({ err: cause }, 'an operation failed');
    return at(error, isOutage(cause) ? unavailable() : defect());
  };
}

function rootOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** False for what a library throws out of a resolver: it has no code, and stands at the field instead of at a value. */
function isForCaller({ extensions, path, nodes }: GraphQLError): boolean {
  return extensions['code'] !== undefined || !path || nodes?.[0]?.kind !== Kind.FIELD;
}

/** GraphQL gives no code to what it finds before it calls a resolver: variables and arguments that do not fit. */
function withCode(error: GraphQLError): GraphQLError {
  const { message, extensions } = error;
  return extensions['code'] === undefined
    ? at(error, new GraphQLError(shortened(message), { extensions: { ...extensions, code: 'BAD_USER_INPUT' } }))
    : error;
}

/** `known`, at the place in the operation where `error` happened. */
function at(error: unknown, { message, extensions }: GraphQLError): GraphQLError {
  const { nodes, path } = error instanceof GraphQLError ? error : new GraphQLError('');
  return new GraphQLError(message, { nodes: nodes ?? null, path: path ?? null, extensions });
}

/** `unexpected` makes it a 500 where there is no data at all; it is not sent. */
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

const unstorable = new InvalidInputError([{ field: 'variables', message: 'must not contain the character U+0000' }]);
