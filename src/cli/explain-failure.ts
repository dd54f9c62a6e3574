/** Explains why a command failed, for the person who ran it, instead of a stack trace. */
import type { Logger } from 'pino';
import { ConfigError } from '../config.js';
import { BackupError } from '../database/backup/backup-error.js';
import { DatabaseConnectionError } from '../database/connection-error.js';
import { DatabaseStartError } from '../database/embedded/start-error.js';
import { MigrationError } from '../database/migrations/history.js';
import { isOutage, outageMessage } from '../modules/database-errors.js';
import { ProvisionError } from '../modules/identity/provision.js';
import { isFileError } from '../platform/files/system-error.js';
import { ProcessGroupError } from '../process/group/messages.js';

const explained = [
  BackupError,
  ConfigError,
  DatabaseConnectionError,
  DatabaseStartError,
  MigrationError,
  ProcessGroupError,
  ProvisionError,
];

/** The explanation, for a command that ends; null for a defect, which needs its stack trace. */
export function explainFailure(error: unknown): string | null {
  return explainStart(error) ?? explainOutage(error, 'Check whether the command took effect, then run it again.');
}

/** Logs why the service could not start or go on, in one line. */
export function logFailure(logger: Logger, error: unknown): void {
  const explanation = explainStart(error) ?? explainOutage(error, 'Start Skein again when it works.');
  logger.fatal(explanation ? {} : { err: error }, explanation ?? 'the service could not start');
}

function explainStart(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return explained.some((kind) => error instanceof kind) ? error.message : explainPort(error);
}

function explainPort(error: Error): string | null {
  const { syscall, code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  // "bind" is what the processes of a group report, whose primary listens for them.
  if (!['listen', 'bind', 'getaddrinfo'].includes(syscall ?? '')) return null;
  const where = port === undefined ? address : `port ${port} of ${address}`;
  if (code === 'EADDRINUSE')
    return `Another program already listens on ${where}. Stop it, or set PORT (or METRICS_PORT) to another port.`;
  if (code === 'EACCES')
    return `This account is not permitted to listen on ${where}. Set PORT (or METRICS_PORT) to one above 1023.`;
  return `Cannot listen (${code}). HOST must be an address of this machine, and PORT free.`;
}

/** A database that went away, or takes no writes. A file that is missing has a code of the network too, ENOENT. */
function explainOutage(error: unknown, advice: string): string | null {
  if (isFileError(error) || !isOutage(error)) return null;
  return `The database failed: ${outageMessage(error)}. ${advice}`;
}
