/** Classifies database errors by the codes of Prisma, its driver adapter, PostgreSQL and the network. */

/** Prisma's codes for a database that is unreachable, out of connections, gave up on a conflict, or timed out. */
const outageCodes = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037']);
/**
 * The same in the codes of the driver adapter, the network, TLS and PostgreSQL: no connection, no resources, starting,
 * shutting down, read-only after a failover, a deadlock or a timeout; and what an operator mends on the server: who may sign
 * in, a database that is being replaced, and its files.
 */
const outageSigns = [
  /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|TransactionWriteConflict)$/,
  /^(ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|EHOST\w+|ENET\w+|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL|EMFILE|ENFILE)$/,
  /^(TlsConnectionError|(ERR_TLS|ERR_SSL|CERT|UNABLE_TO)_\w+|\w*SELF_SIGNED_CERT\w*)$/,
  /^(08\w{3}|28\w{3}|3D\w{3}|53\w{3}|57P0\w|57014|55000|55P03|58\w{3}|25006|25P0\w|40001|40P01)$/,
];
/** Messages of the driver without a code: a connection that times out or breaks. */
const outageMessages =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|is not queryable|SSL connection/;

/** Whether the database could not be reached or its response was lost. */
export function isOutage(error: unknown): boolean {
  return causesOf(error).some(
    (cause) => codesOf(cause).some(isOutageCode) || outageMessages.test(String(cause.message)),
  );
}

/** What the database, or the network before it, said of the outage, without what the layers above it add. */
export function outageMessage(error: unknown): string {
  const messages = causesOf(error).map(({ originalMessage, message }) => originalMessage ?? message);
  return messages.filter((message) => typeof message === 'string').at(-1) ?? String(error);
}

function isOutageCode(code: string): boolean {
  return outageCodes.has(code) || outageSigns.some((sign) => sign.test(code));
}

interface Cause {
  message?: unknown;
  originalMessage?: unknown;
  code?: unknown;
  originalCode?: unknown;
  kind?: unknown;
  cause?: unknown;
  meta?: { code?: unknown; driverAdapterError?: unknown };
}

function codesOf({ code, originalCode, kind, meta }: Cause): string[] {
  return [code, originalCode, kind, meta?.code].filter((value) => typeof value === 'string');
}

/** The chain of causes: the adapter's error is in `meta`, and PostgreSQL's in the adapter's `cause`. */
function causesOf(error: unknown, depth = 0): Cause[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const cause = error as Cause;
  return [cause, ...causesOf(cause.meta?.driverAdapterError, depth + 1), ...causesOf(cause.cause, depth + 1)];
}
