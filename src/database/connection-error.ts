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
      return /no encryption|SSL off/.test(error.message)
        ? 'The database takes encrypted connections only. Add sslmode=verify-full to DATABASE_URL.'
        : `The user in DATABASE_URL has no access to the database "${database}".`;
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
  const advice = tlsAdvice(message, code);
  if (advice !== null) return `The connection to the database could not be encrypted: ${message}. ${advice}`;
  if (/^(Connection terminated|timeout expired)/.test(message)) return unreachable(client);
  if (/client password must be/.test(message))
    return `The database asks the user ${client.user} for a password, and DATABASE_URL has none.`;
  return null;
}

function unreachable({ host, port }: Pick<Client, 'host' | 'port'>): string {
  return `The database cannot be reached at ${host}, port ${port}. Check that it is running and that DATABASE_URL is correct.`;
}

/** Null if TLS is not what failed. Node has codes for certificates; what a server without TLS says is the driver's. */
function tlsAdvice(message: string, code: string | undefined): string | null {
  if (/CERT|^UNABLE_TO_|^ERR_(TLS|SSL|OSSL)_/.test(code ?? ''))
    return (
      "Add sslrootcert=FILE to DATABASE_URL, with the certificate of the server's authority, or sslmode=no-verify to encrypt " +
      'without checking the server.'
    );
  if (/\bSSL connections?\b/.test(message))
    return 'Turn encryption on there, or set sslmode=disable in DATABASE_URL if you trust the network.';
  return null;
}
