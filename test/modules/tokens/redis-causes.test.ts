/** Why there is no connection to Redis stands in the first line of the log, and not what that leads to. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { redisFeed } from '../../../src/process/token-feed.js';
import { logger } from '../../support/silent-logger.js';
import { patience } from './feed-viewer.js';

const silence = () => undefined;

async function listenOn(onConnection: (socket: Socket) => unknown) {
  const server = createServer((socket) => onConnection(socket.on('error', silence).resume())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const servers: [name: string, protocol: string, onConnection: (socket: Socket) => unknown, cause: RegExp][] = [
  ['accepts connections and says nothing', 'redis', silence, /takes no commands/],
  ['does not answer to TLS', 'rediss', silence, /connect ETIMEDOUT/],
  ['closes each connection', 'redis', (socket) => socket.end(), /closed without a reason/],
];

describe('a Redis', () => {
  it.concurrent.each(servers)('that %s', async (_name, protocol, onConnection, cause) => {
    const { server, address } = await listenOn(onConnection);
    const errors: string[] = [];
    const note = (line: string) => errors.push((JSON.parse(line) as { err: Error }).err.message);
    const feed = redisFeed({ url: `${protocol}://${address}`, logger: pino({}, { write: note }) });
    await vi.waitFor(() => expect(errors).not.toEqual([]), patience);
    await feed.close();
    server.close();
    expect(errors).toEqual([expect.stringMatching(cause)]);
  });

  it.concurrent('that has loaded sooner than it said is used', async () => {
    const commands: string[] = [];
    const { server, address } = await listenOn((socket) => {
      let loading = 1;
      const answer = (name: string) => {
        commands.push(name);
        if (name !== 'info') return '+OK\r\n';
        const info = `loading:${loading--}\r\nloading_eta_seconds:60\r\n`;
        return `$${info.length}\r\n${info}\r\n`;
      };
      socket.on('data', (chunk) => {
        for (const [, name = ''] of String(chunk).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) socket.write(answer(name));
      });
    });
    const feed = redisFeed({ url: `redis://${address}`, logger });
    await vi.waitFor(() => expect(commands).toContain('ping'), patience);
    await feed.close();
    server.close();
  });
});
