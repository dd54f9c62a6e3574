/** Explains why a command failed, for the person who ran it, instead of a stack trace. */
import { ConfigError } from '../config.js';
import { DatabaseConnectionError } from '../database/connection-error.js';
import { DatabaseStartError } from '../database/embedded/start-error.js';
import { MigrationError } from '../database/migrations/history.js';
import { ProvisionError } from '../modules/identity/provision.js';

const explained = [ConfigError, DatabaseConnectionError, DatabaseStartError, MigrationError, ProvisionError];

/** The explanation; null for a defect, which needs its stack trace. */
export function explainFailure(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (explained.some((kind) => error instanceof kind)) return error.message;
  return explainPort(error);
}

function explainPort(error: Error): string | null {
  const { syscall, code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return null;
  const where = port === undefined ? address : `port ${port} of ${address}`;
  if (code === 'EADDRINUSE')
    return `Another program already listens on ${where}. Stop it, or set PORT to another port.`;
  if (code === 'EACCES') return `This account is not permitted to listen on ${where}. Set PORT to a port above 1023.`;
  return `Cannot listen (${code}). HOST must be an address of this machine, and PORT free.`;
}
