/** Requests that a client sends ahead on one connection: they run one after the other. */
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type HttpServer, startHttpServer } from '../../../src/platform/server/http-server.js';

const patience = { timeout: 10_000 };

let server: HttpServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

/** A server whose answers wait until they are let go; `/free` is answered at once. */
async function holdingServer(maxConnections = 100) {
  const started: string[] = [];
  const held: (() => void)[] = [];
  server = await startHttpServer(
    (request, response) => {
      started.push(request.url ?? '');
      if (request.url === '/free') response.end('free');
      else held.push(() => response.end(`answer to ${request.url}`));
    },
    { host: '127.0.0.1', port: 0, maxConnections },
  );
  return { started, held };
}

function open(): { socket: Socket; received: () => string } {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  socket.on('error', (error) => {
    received += `\n${error.message}`;
  });
  return { socket, received: () => received };
}

const requestFor = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const many = (count: number) => Array.from({ length: count }, (_, n) => requestFor(`/${n}`)).join('');
/** Whoever asks now is answered after everything that reached the server before was read. */
const askFreely = async () => expect(await (await fetch(`${server.url}/free`)).text()).toBe('free');

describe('pipelined requests of one connection', () => {
  it('run one at a time, so that thousands of them hold up nobody else', async () => {
    const { started, held } = await holdingServer();
    const { socket, received } = open();
    await new Promise((resolve) => socket.write(many(5000), resolve));
    await vi.waitFor(() => expect(held).toHaveLength(1), patience);
    await askFreely();
    await askFreely();
    expect(started.filter((path) => path !== '/free')).toEqual(['/0']);
    held[0]?.();
    await vi.waitFor(() => expect(held).toHaveLength(2), patience);
    await askFreely();
    expect(started.filter((path) => path !== '/free')).toEqual(['/0', '/1']);
    expect(received()).toContain('answer to /0');
  });

  it('are answered in order', async () => {
    const { held } = await holdingServer();
    const { socket, received } = open();
    for (let round = 0; round < 3; round += 1) {
      socket.write(many(60));
      for (let n = 0; n < 60; n += 1) {
        await vi.waitFor(() => expect(held).toHaveLength(1), { ...patience, interval: 1 });
        held.pop()?.();
      }
    }
    await vi.waitFor(() => expect(received().match(/answer to/g)).toHaveLength(180), patience);
    const order = [...received().matchAll(/answer to \/(\d+)/g)].map(([, n]) => Number(n));
    expect(order).toEqual(Array.from({ length: 180 }, (_, n) => n % 60));
  });

  it('are forgotten when the client leaves', async () => {
    const { started, held } = await holdingServer();
    const { socket } = open();
    socket.write(many(50));
    await vi.waitFor(() => expect(held).toHaveLength(1), patience);
    socket.resetAndDestroy();
    await askFreely();
    await askFreely();
    expect(started.filter((path) => path !== '/free')).toEqual(['/0']);
  });
});
