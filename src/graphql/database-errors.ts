/** What an error of the database means, by its codes: Prisma's, those of its driver adapter, PostgreSQL's, the network's. */

/** Prisma's codes for a database that is out of reach, out of connections, gave up a conflict, or did not answer in time. */
const outageCodes = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037']);
/**
 * The same said by the driver adapter, by the network, or by PostgreSQL: no connection, no resources, shutting down or
 * starting, taking no connections, read-only after a failover, a deadlock, a limit of time.
 */
const outageSigns = [
  /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|TransactionWriteConflict)$/,
  /^(ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/,
  /^(08\w{3}|53\w{3}|57P0\w|57014|55000|55P03|25006|25P0\w|40001|40P01)$/,
];
/** What the driver says without a code: a connection that is not made in time, breaks, or does not answer in time. */
const outageMessages =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|is not queryable/;

/** True where the database could not be asked, or its answer was lost. */
export function isOutage(error: unknown): boolean {
  return causesOf(error).some(
    (cause) => codesOf(cause).some(isOutageCode) || outageMessages.test(String(cause.message)),
  );
}

function isOutageCode(code: string): boolean {
  return outageCodes.has(code) || outageSigns.some((sign) => sign.test(code));
}

/** True for a text with U+0000, which PostgreSQL can neither store nor compare. */
export function isUnstorableText(error: unknown): boolean {
  return causesOf(error).some((cause) => codesOf(cause).includes('22021'));
}

interface Cause {
  message?: unknown;
  code?: unknown;
  originalCode?: unknown;
  kind?: unknown;
  cause?: unknown;
  meta?: { code?: unknown; driverAdapterError?: unknown };
}

function codesOf({ code, originalCode, kind, meta }: Cause): string[] {
  return [code, originalCode, kind, meta?.code].filter((value) => typeof value === 'string');
}

/** The error and what it came from: the adapter's error is in `meta`, and PostgreSQL's in the adapter's `cause`. */
function causesOf(error: unknown, depth = 0): Cause[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const cause = error as Cause;
  return [cause, ...causesOf(cause.meta?.driverAdapterError, depth + 1), ...causesOf(cause.cause, depth + 1)];
}
