import { defineCommand } from 'citty';
import type { Logger } from 'pino';
import { type End, endOnce } from './end-once.js';
import { explainFailure } from './explain-failure.js';
import { greet } from './greet.js';
import { loadConfig } from './load-config.js';

const graceMs = 25_000;
/** What the end itself may take beyond that: whoever kills after 30 s, as is usual, has nothing to kill. */
const farewellMs = 4_000;

export const serveCommand = defineCommand({
  meta: { name: 'serve', description: 'Run the service: database, REST, GraphQL and a worker.' },
  async run() {
    const { config, logger } = loadConfig();
    // Only here, because the other commands need a tenth of it, and start so much sooner.
    const { startService } = await import('../serve.js');
    const service = await startService({ config, logger }).catch((error: unknown) => {
      logFailure(logger, error);
      process.exit(1);
    });
    const end = endOnce({ service, logger, farewellMs, exit: (status) => process.exit(status) });
    endOnSignal(end, logger);
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

/** The first signal lets running responses finish, the second ends the process. */
function endOnSignal(end: End, logger: Logger): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'stopping; running responses may finish, a second signal ends them');
    void end({ graceMs, status: 0 });
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
