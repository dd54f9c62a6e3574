import type { Logger } from 'pino';
import { type Config, readConfig } from '../config.js';
import { createLogger } from '../log.js';

/** Reads the configuration and creates the logger. Throws a `ConfigError` if the configuration is invalid. */
export function loadConfig(): { config: Config; logger: Logger } {
  const config = readConfig();
  return { config, logger: createLogger(config.logLevel) };
}
