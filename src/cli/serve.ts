import { Command } from '@commander-js/extra-typings';
import type { Logger } from 'pino';
import { endOnSignal } from './end-on-signal.js';
import { endOnce } from './end-once.js';
import { explainFailure } from './explain-failure.js';
import { greet } from './greet.js';
import { loadConfig } from './load-config.js';

/**
 * Time for the shutdown itself, so that with the grace period it stays below the 30 s after which supervisors usually
 * kill.
 */
const farewellMs = 4_000;

export const serveCommand = new Command('serve')
  .description('Start the service: database, REST, GraphQL, web application and worker.')
  .action(async () => {
    const { config, logger } = loadConfig();
    // Loaded here so that the other commands start faster.
    const { startService } = await import('../serve.js');
    const service = await startService({ config, logger }).catch((error: unknown) => {
      logFailure(logger, error);
      process.exit(1);
    });
    const exit = (status: number) => process.exit(status);
    const greeting = greet(service, config.publicUrl);
    const end = endOnce({ service, greeting, logger, farewellMs, exit });
    endOnSignal({ signals: process, end, logger, exit, nowMs: () => performance.now() });
    try {
      await greeting;
    } catch (error) {
      logFailure(logger, error);
      // The service is running by now, but a process that reported a failure must exit, or nothing would restart it.
      return end({ graceMs: 0, status: 1 });
    }
    logger.info({ url: service.url }, `serving REST at ${service.url}/api/v1 and GraphQL at ${service.url}/graphql`);
  });

function logFailure(logger: Logger, error: unknown): void {
  const explanation = explainFailure(error);
  logger.fatal(explanation ? {} : { err: error }, explanation ?? 'the service could not start');
}
