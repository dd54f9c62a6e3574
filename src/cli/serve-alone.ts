/** Serves in one process. */
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { serveProcess } from './serve-process.js';
import { logServing, shutdownTimeoutMs } from './shutdown-timeout.js';

export async function serveAlone(config: Config, logger: Logger): Promise<void> {
  const service = await serveProcess({
    config,
    logger,
    printsFirstRunNotice: true,
    shutdownTimeoutMs,
  });
  if (service) logServing(logger, service.url);
}
