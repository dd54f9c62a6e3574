/**
 * A connection is an open file. Where the system allows fewer than the limit of connections needs, it would end each further
 * connection without a word, while idle ones are kept.
 */
import type { Logger } from 'pino';

/** For the database, models and files. */
const reserved = 200;

/** As many connections as the system leaves room for, `wanted` at most. */
export function affordableConnections(wanted: number, logger: Logger, openFiles = openFilesLimit()): number {
  const affordable = Math.max(openFiles - reserved, Math.ceil(openFiles / 4));
  if (wanted <= affordable) return wanted;
  logger.warn(
    { openFiles, maxConnections: affordable },
    'the system allows this process too few open files for MAX_CONNECTIONS; raise its limit (ulimit -n), or lower MAX_CONNECTIONS',
  );
  return affordable;
}

function openFilesLimit(): number {
  // The types of Node 20 lack it. Without it, the names of all peers would be looked up.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files: { soft: number | 'unlimited' } } };
  const soft = userLimits?.open_files.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
