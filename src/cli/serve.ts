import { defineCommand } from 'citty';
import type { Logger } from 'pino';
import type { RunningService } from '../serve.js';
import { explainFailure } from './explain-failure.js';
import { greet } from './greet.js';
import { loadConfig } from './load-config.js';

const graceMs = 25_000;

export const serveCommand = defineCommand({
  meta: { name: 'serve', description: 'Run the service: database, REST, GraphQL and a worker.' },
  async run() {
    const { config, logger } = loadConfig();
    // Only here, because the other commands need a tenth of it, and start so much sooner.
    const { startService } = await import('../serve.js');
    const service = await startService({ config, logger }).catch((error: unknown) => {
      const explanation = explainFailure(error);
      logger.fatal(explanation ? {} : { err: error }, explanation ?? 'the service could not start');
      process.exit(1);
    });
    stopOnSignal(service, logger);
    await greet(service);
    logger.info({ url: service.url }, `serving REST at ${service.url}/api/v1 and GraphQL at ${service.url}/graphql`);
  },
});

/** The first signal lets running responses finish, the second ends the process. */
function stopOnSignal(service: RunningService, logger: Logger): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'stopping; running responses may finish, a second signal ends them');
    service.stop(graceMs).then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'the service did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
