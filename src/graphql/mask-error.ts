/**
 * What a caller learns of an error. Errors of the catalogue pass; a database that cannot be reached becomes `UNAVAILABLE`;
 * anything else is a defect, which is logged here and reaches the caller as "Unexpected error" alone.
 */
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { DomainError, UnavailableError } from '../errors.js';

export function createMaskError(logger: Logger): (error: unknown) => Error {
  return (error) => {
    const cause = rootOf(error);
    if (cause instanceof DomainError || cause instanceof GraphQLError) return error as Error;
    logger.error({ err: cause }, 'an operation failed');
    const known = isOutage(cause) ? new UnavailableError() : defect();
    const { nodes, path } = error instanceof GraphQLError ? error : new GraphQLError('');
    const { extensions } = known;
    return new GraphQLError(known.message, { nodes: nodes ?? null, path: path ?? null, extensions });
  };
}

function rootOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

function defect(): GraphQLError {
  return new GraphQLError('Unexpected error. Try again; if it stays, tell the operator the request id.', {
    extensions: { code: 'INTERNAL_SERVER_ERROR', http: { status: 500 } },
  });
}

/** Prisma's codes for a database that is out of reach, out of connections, or did not answer in time. */
const outageCodes = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2028', 'P2037']);
/** The same said by PostgreSQL or by the network: shutting down, too many connections, timeouts. */
const outageSigns =
  /^(08|53|57P|57014|55P03|25P0)|^(ECONN|EPIPE|ENOENT|ETIMEDOUT)|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections/;

/** True where the database could not be asked, or its answer was lost. */
export function isOutage(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    const { code, meta } = cause as Error & { code?: unknown; meta?: { code?: unknown; driverAdapterError?: unknown } };
    if (outageCodes.has(String(code)) || outageSigns.test(String(code)) || outageSigns.test(String(meta?.code)))
      return true;
    if (isOutage(meta?.driverAdapterError)) return true;
    const kind = (cause.cause as { kind?: unknown; originalCode?: unknown } | undefined) ?? {};
    if (outageSigns.test(String(kind.kind)) || outageSigns.test(String(kind.originalCode))) return true;
    if (/Connection terminated|timeout exceeded when trying to connect/.test(cause.message)) return true;
  }
  return false;
}
