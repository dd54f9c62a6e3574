import { NotFoundError } from '../errors.js';

/**
 * The result of a statement that finds a thread or a message and stores something of it. If that is deleted in the same
 * moment, the statement finds it and cannot store: it is not found then.
 */
export async function orNotFound<T>(what: 'thread' | 'message', statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw sqlStateOf(error) === '23503' ? new NotFoundError(what) : error;
  }
}

/** The SQLSTATE of an error of the database, which Prisma or the driver passed on; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  const { meta, code, severity } = Object(error) as Failure;
  // The driver has the state in `code`, where Prisma has codes of its own, and Node those of the network.
  const state = severity === undefined ? meta?.driverAdapterError?.cause?.originalCode : code;
  return typeof state === 'string' ? state : undefined;
}

interface Failure {
  code?: unknown;
  severity?: unknown;
  meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
}
