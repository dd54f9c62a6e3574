/** Why PostgreSQL could not be connected to, in words for the person who set DATABASE_URL. */
import type { Client } from 'pg';

/** The message says what to do. It never holds the address as a whole, because that contains the password. */
export class DatabaseConnectionError extends Error {
  override readonly name = 'DatabaseConnectionError';
}

/** The error to throw in place of what the driver said: explained where the cause is known, the same one elsewhere. */
export function explainConnection(error: unknown, client: Client): unknown {
  const explanation = explain(error, client);
  return explanation === null ? error : new DatabaseConnectionError(explanation, { cause: error });
}

function explain(error: unknown, { host, user, database }: Client): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `The database cannot be reached at ${host}. See that it runs and that DATABASE_URL names it.`;
    case '28P01':
      return `The database refuses the user ${user} or the password of DATABASE_URL.`;
    case '28000':
      return `The user of DATABASE_URL may not use the database "${database}".`;
    case '3D000':
      return `The database server has no database "${database}". Create it, or name another in DATABASE_URL.`;
    default:
      return isTlsError(error, code) ? `The connection to the database could not be encrypted: ${error.message}` : null;
  }
}

/** Node's codes for certificates, and the driver's own words for a server that has no TLS. */
function isTlsError({ message }: Error, code: string | undefined): boolean {
  if (code !== undefined) return /CERT|^ERR_(TLS|SSL)_/.test(code);
  return /\bSSL connections?\b/.test(message);
}
