import cluster from 'node:cluster';
import { Command } from '@commander-js/extra-typings';
import { loadConfig } from './load-config.js';

export const serveCommand = new Command('serve')
  .description(
    'Start the service: database, REST, GraphQL, web application and worker, in as many processes as PROCESSES says.',
  )
  .action(async () => {
    const { config, logger } = loadConfig();
    // Loaded here so that the other commands start faster, and the primary process of a group needs less memory.
    if (config.processes === 1) await (await import('./serve-alone.js')).serveAlone(config, logger);
    else if (cluster.isPrimary) await (await import('./serve-group.js')).serveGroup(config);
    else await (await import('./serve-member.js')).serveMember(config);
  });
