import type { Logger } from 'pino';
import { type Config, readConfig } from '../config.js';
import { createLogger } from '../log.js';

/** The configuration and its logger. Throws a `ConfigError` where the configuration cannot be used. */
export function loadConfig(): { config: Config; logger: Logger } {
  const config = readConfig();
  return { config, logger: createLogger(config.logLevel) };
}
