import { defineCommand } from 'citty';
import type { Logger } from 'pino';
import { endOnSignal } from './end-on-signal.js';
import { endOnce } from './end-once.js';
import { explainFailure } from './explain-failure.js';
import { greet } from './greet.js';
import { loadConfig } from './load-config.js';

/** What the end itself may take beyond the grace of running responses: whoever kills after 30 s, as is usual, has nothing to kill. */
const farewellMs = 4_000;

export const serveCommand = defineCommand({
  meta: { name: 'serve', description: 'Start the service: database, REST, GraphQL, web application and worker.' },
  async run() {
    const { config, logger } = loadConfig();
    // Only here, because the other commands need a tenth of it, and start so much sooner.
    const { startService } = await import('../serve.js');
    const service = await startService({ config, logger }).catch((error: unknown) => {
      logFailure(logger, error);
      process.exit(1);
    });
    const exit = (status: number) => process.exit(status);
    const end = endOnce({ service, logger, farewellMs, exit });
    endOnSignal({ signals: process, end, logger, exit, nowMs: () => performance.now() });
    try {
      await greet(service, config.publicUrl);
    } catch (error) {
      logFailure(logger, error);
      // It serves by now, and a process that stays although it said that it failed would never be started again.
      return end({ graceMs: 0, status: 1 });
    }
    logger.info({ url: service.url }, `serving REST at ${service.url}/api/v1 and GraphQL at ${service.url}/graphql`);
  },
});

function logFailure(logger: Logger, error: unknown): void {
  const explanation = explainFailure(error);
  logger.fatal(explanation ? {} : { err: error }, explanation ?? 'the service could not start');
}
