/**
 * Holds the embedded database of each of these directories, as the service does: `serve.ts DATA_DIR...`, with the programs of PG_BIN_DIR
 * where that is set. It prints the outcome of each, and that of the first. SIGTERM ends it in order, and so does the
 * end of its standard input, so that it never outlives the tests.
 */
import { type EmbeddedServer, startEmbeddedServer } from '../../../src/database/embedded/server.js';
import { logger } from '../../support/silent-logger.js';
import { becomeNamedAccount } from './run-as.js';

const binDir = process.env['PG_BIN_DIR'];
becomeNamedAccount();
const servers: EmbeddedServer[] = [];
const outcomes: ({ url: string } | { error: string })[] = [];
for (const dataDir of process.argv.slice(2)) {
  try {
    const server = await startEmbeddedServer({ dataDir, binDir, logger });
    servers.push(server);
    outcomes.push({ url: server.url });
  } catch (error) {
    outcomes.push({ error: error instanceof Error ? error.message : String(error) });
  }
}
const end = async () => {
  process.stdin.destroy();
  await Promise.all(servers.map((server) => server.stop()));
};
process.once('SIGTERM', end);
process.stdin.once('end', end).resume();
process.stdout.write(`${JSON.stringify({ ...outcomes[0], outcomes })}\n`);
