/**
 * Holds the embedded database of a directory, as the service does: `serve.ts DATA_DIR [PG_BIN_DIR]`. SIGTERM ends it in order, and so does
 * the end of its standard input, so that it never outlives the tests.
 */
import { pino } from 'pino';
import { startEmbeddedServer } from '../../../src/database/embedded/server.js';
import { becomeNamedAccount } from './run-as.js';

const [dataDir = '', binDir] = process.argv.slice(2);
becomeNamedAccount();
try {
  const server = await startEmbeddedServer({ dataDir, binDir, logger: pino({ level: 'silent' }) });
  const end = async () => {
    process.stdin.destroy();
    await server.stop();
  };
  process.once('SIGTERM', end);
  process.stdin.once('end', end).resume();
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`);
  process.exitCode = 1;
}
