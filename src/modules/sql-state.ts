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
