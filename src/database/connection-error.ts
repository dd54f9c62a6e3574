/** Explains why PostgreSQL cannot be connected to, for the person who set DATABASE_URL. */
import type { Client } from 'pg';

/** The message tells what to do. It never contains the whole URL, which includes the password. */
export class DatabaseConnectionError extends Error {
  override readonly name = 'DatabaseConnectionError';
}

/** The error to throw instead of the driver's: explained if the cause is known, otherwise unchanged. */
export function explainConnection(error: unknown, client: Client): unknown {
  const explanation = explain(error, client);
  return explanation === null ? error : new DatabaseConnectionError(explanation, { cause: error });
}

function explain(error: unknown, { host, port, user, database }: Client): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return unreachable({ host, port });
    case '28P01':
      return `The database rejects the user ${user} or the password in DATABASE_URL.`;
    case '28000':
      return `The user in DATABASE_URL has no access to the database "${database}".`;
    case '3D000':
      return `The database server has no database "${database}". Create it, or correct DATABASE_URL.`;
    case '53300':
      return `The database takes no more connections: ${error.message}. Allow more there, at least 30 for each process of Skein, or set DATABASE_CONNECTIONS to less.`;
    case '57P03':
      return `The database does not take connections yet: ${error.message}. Start Skein again when it does.`;
    default:
      return explainWords(error, code, { host, port, user });
  }
}

/** The driver has no codes for these. */
function explainWords(error: Error, code: string | undefined, client: Pick<Client, 'host' | 'port' | 'user'>) {
  const { message } = error;
  if (isTlsError(error, code)) return `The connection to the database could not be encrypted: ${message}`;
  if (/^(Connection terminated|timeout expired)/.test(message)) return unreachable(client);
  if (/client password must be/.test(message))
    return `The database asks the user ${client.user} for a password, and DATABASE_URL has none.`;
  return null;
}

function unreachable({ host, port }: Pick<Client, 'host' | 'port'>): string {
  return `The database cannot be reached at ${host}, port ${port}. Check that it is running and that DATABASE_URL is correct.`;
}

/** Node's codes for certificates, and the driver's own words for a server that has no TLS. */
function isTlsError({ message }: Error, code: string | undefined): boolean {
  if (code !== undefined) return /CERT|^ERR_(TLS|SSL)_/.test(code);
  return /\bSSL connections?\b/.test(message);
}
