/**
 * The entries of the audit log, once each in the log of the process that made the change, whoever acted. The function `audit`
 * of the database writes an entry and tells the connection, so no code that changes something can forget to log it.
 */
import type { Logger } from 'pino';

/** The code of the messages, as in the function `audit`. */
export const auditCode = 'SKAUD';

/** Logs an entry: ids only, as the function renders them in JSON. */
export function logAudited(logger: Logger, entry: string): void {
  const fields: unknown = JSON.parse(entry);
  logger.info(fields, 'audit');
}
