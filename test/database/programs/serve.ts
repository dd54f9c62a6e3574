/** Holds the embedded database of a directory, as the service does: `serve.ts DATA_DIR`. SIGTERM ends it in order. */
import { pino } from 'pino';
import { startEmbeddedServer } from '../../../src/database/embedded-server.js';

const [dataDir = ''] = process.argv.slice(2);
try {
  const server = await startEmbeddedServer({ dataDir, logger: pino({ level: 'silent' }) });
  const alive = setInterval(() => undefined, 60_000);
  process.once('SIGTERM', async () => {
    await server.stop();
    clearInterval(alive);
  });
  process.stdout.write(`${JSON.stringify({ url: server.url, adopted: server.adopted })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`);
  process.exitCode = 1;
}
