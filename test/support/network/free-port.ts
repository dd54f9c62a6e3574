import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { hasCode } from '../../../src/platform/files/system-error.js';

/** Below those that systems give to whoever asks for any port, and above those that browsers refuse to talk to. */
const [lowest, beyond] = [20_000, 32_768];

/**
 * A port of this machine on which nobody listens, for a program that must be told one, or that comes back to the one it had.
 * The system gives it to nobody who asks for any port, so that it stays free until then.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(lowest, beyond);
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return port;
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) return freePort();
    throw error;
  } finally {
    server.close();
  }
}
