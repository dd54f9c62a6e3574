import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig } from '../config.js';
import { createLogger } from '../log.js';

/** The configuration and its logger. Where the configuration cannot be used, says why and ends the process. */
export function loadConfig(): { config: Config; logger: Logger } {
  try {
    const config = readConfig();
    return { config, logger: createLogger(config.logLevel) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(78);
  }
}
