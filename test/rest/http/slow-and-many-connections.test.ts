/**
 * Connections that cost a client nothing: heads and bodies that never end, more of them than one address may have, and requests that
 * are sent ahead on one of them, which run one after the other.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultTimes, type HttpServer, startHttpServer } from '../../../src/platform/server/http-server.js';
import { exchange, openSocket } from './raw-http.js';

const patience = { timeout: 15_000 };
const soon = { ...defaultTimes, headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 10 };

let server: HttpServer | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
});

/** A connection that ends with the test, whatever becomes of it. */
function connectTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

/** A server that answers when it has read the whole request. */
async function start(options: Partial<Parameters<typeof startHttpServer>[1]>): Promise<string> {
  server = await startHttpServer((request, response) => request.resume().once('end', () => response.end('answer')), {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 100,
    ...options,
  });
  return server.url;
}

describe('a request that does not come in time', () => {
  it.each([
    ['a head that does not end', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: '],
    ['a line that does not end', 'GET /'],
    ['a body that does not end', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx'],
    ['chunks that do not end', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'],
  ])('is refused with 408, and its connection ends: %s', async (_what, bytes) => {
    const answer = await exchange(await start({ times: soon }), bytes);
    expect(answer).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  });

  it('may take 15 s for its head and five minutes in all, by default', () => {
    expect(defaultTimes).toMatchObject({ headersTimeout: 15_000, requestTimeout: 300_000 });
  });
});

describe('an answer of which nothing is taken', () => {
  it('ends with its connection', async () => {
    const ended = vi.fn();
    const large = Buffer.alloc(64 * 2 ** 20);
    const times = { ...defaultTimes, idleMs: 100 };
    server = await startHttpServer((_request, response) => response.once('close', ended).end(large), {
      host: '127.0.0.1',
      port: 0,
      maxConnections: 10,
      times,
    });
    connectTo(server.url).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await vi.waitFor(() => expect(ended).toHaveBeenCalled(), patience);
  });

  it('is given up after two minutes, by default', () => {
    expect(defaultTimes).toMatchObject({ idleMs: 120_000 });
  });
});

describe('an idle connection', () => {
  it('is kept for longer than by the balancers in front, by default', async () => {
    const response = await fetch(await start({}));
    expect(response.headers.get('keep-alive')).toBe('timeout=620');
  });
});

describe('the connections of one address, or of all,', () => {
  const open = async (url: string): Promise<Socket> => {
    const socket = connectTo(url);
    await once(socket, 'connect');
    return socket;
  };
  /** What comes back for a request, empty where the connection is closed instead. */
  const askOn = async (socket: Socket): Promise<string> => {
    let received = '';
    socket.on('data', (data) => {
      received += data.toString();
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await vi.waitFor(() => expect(received.endsWith('answer') || socket.destroyed).toBe(true), patience);
    return received.slice(0, 12);
  };

  it('are closed beyond a quarter of the limit, those before go on, and there is room again when one ends', async () => {
    const onRefused = vi.fn();
    const url = await start({ maxConnections: 8, isSharedAddress: () => false, onRefused });
    const [first, second] = [await open(url), await open(url)];
    expect(await askOn(await open(url))).toBe('');
    expect(onRefused).toHaveBeenCalledTimes(1);
    expect([await askOn(first), await askOn(second)]).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    first.destroy();
    await vi.waitFor(async () => expect(await askOn(await open(url))).toBe('HTTP/1.1 200'), patience);
  });

  it('make room for the next one of the same address where they are idle', async () => {
    const url = await start({ maxConnections: 8, isSharedAddress: () => false });
    for (const socket of [await open(url), await open(url)]) expect(await askOn(socket)).toBe('HTTP/1.1 200');
    expect(await askOn(await open(url))).toBe('');
    expect(await askOn(await open(url))).toBe('HTTP/1.1 200');
  });

  it('are not counted if they may come from a proxy', async () => {
    const url = await start({ maxConnections: 4 });
    for (const socket of [await open(url), await open(url), await open(url)]) {
      expect(await askOn(socket)).toBe('HTTP/1.1 200');
    }
  });

  it('are closed beyond the limit of all addresses, and idle ones make room for the next', async () => {
    const onRefused = vi.fn();
    const url = await start({ maxConnections: 4, onRefused });
    const [idle, again, busy, fresh] = [await open(url), await open(url), await open(url), await open(url)];
    expect(await askOn(again)).toBe('HTTP/1.1 200');
    for (const socket of [again, busy]) socket.write('GET / HTTP/1.1\r\n');
    // When this is answered, what was written before has been read as well.
    expect(await askOn(idle)).toBe('HTTP/1.1 200');
    const beyond = await open(url);
    await vi.waitFor(() => expect([beyond.destroyed, idle.destroyed]).toEqual([true, true]), patience);
    expect([again, busy, fresh].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
    expect(onRefused).toHaveBeenCalledTimes(1);
    expect(await askOn(await open(url))).toBe('HTTP/1.1 200');
  });
});

/** A server whose answers wait until they are let go; `/free` is answered at once. */
async function holdingServer() {
  const started: string[] = [];
  const held: (() => void)[] = [];
  server = await startHttpServer(
    (request, response) => {
      started.push(request.url ?? '');
      if (request.url === '/free') response.end('free');
      else held.push(() => response.end(`answer to ${request.url}`));
    },
    { host: '127.0.0.1', port: 0, maxConnections: 100 },
  );
  return { started, held };
}

/** A connection to it that ends before the server does, which would wait for its answer. */
async function open(bytes: string) {
  const opened = await openSocket(String(server?.url), bytes);
  sockets.push(opened.socket);
  return opened;
}

const requestFor = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const many = (count: number) => Array.from({ length: count }, (_, n) => requestFor(`/${n}`)).join('');
/** Whoever asks now is answered after everything that reached the server before was read. */
const askFreely = async () => expect(await (await fetch(`${server?.url}/free`)).text()).toBe('free');

describe('pipelined requests of one connection', () => {
  it('run one at a time, so that thousands of them hold up nobody else', async () => {
    const { started, held } = await holdingServer();
    const { received } = await open(many(5000));
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
    const { socket, received } = await open('');
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
    const { socket } = await open(many(50));
    await vi.waitFor(() => expect(held).toHaveLength(1), patience);
    socket.resetAndDestroy();
    await askFreely();
    await askFreely();
    expect(started.filter((path) => path !== '/free')).toEqual(['/0']);
  });
});
