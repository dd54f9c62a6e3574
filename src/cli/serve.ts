import { defineCommand } from 'citty';
import { startService } from '../serve.js';
import { greet } from './greet.js';
import { loadConfig } from './load-config.js';

const graceMs = 25_000;

export const serveCommand = defineCommand({
  meta: { name: 'serve', description: 'Run the service: database, REST, GraphQL and a worker.' },
  async run() {
    const { config, logger } = loadConfig();
    const service = await startService({ config, logger }).catch((error: unknown) => {
      logger.fatal({ err: error }, error instanceof Error ? error.message : 'the service could not start');
      process.exit(1);
    });
    await greet(service);
    logger.info({ url: service.url }, `serving REST at ${service.url}/api/v1 and GraphQL at ${service.url}/graphql`);
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
  },
});
