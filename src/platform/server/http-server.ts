import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionLimit, limitConnections } from './connection-limit.js';
import { closeInStages } from './lingering-close.js';
import { oneAtATime } from './pipelining.js';

/** How long streams may take to end before their connections are cut. */
const shutdownTimeoutMs = 500;

/**
 * The backlog of connections that the system holds until they are accepted, limited by `net.core.somaxconn`. With
 * Node's default of 511, clients would wait seconds for a retry while somebody opens a thousand connections at once.
 */
const backlog = 4096;

export const defaultTimes = {
  /** For the head of a request, and for all of it. */
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
  /**
   * Longer than proxies keep idle connections, so that they close first and never send on one that is being closed: nginx 60 s,
   * Traefik 90 s, Caddy two minutes, Google's balancers ten.
   */
  keepAliveTimeout: 620_000,
  /** How long a connection may be idle during a request or response. Streams have their own limit. */
  idleMs: 120_000,
};

export interface HttpServerOptions extends ConnectionLimit {
  host: string;
  port: number;
  /** Whether the server has a port on the loopback interface too, of this process alone where several share the other. */
  hasPrivatePort?: boolean;
  times?: typeof defaultTimes;
}

export interface HttpServer {
  url: string;
  /** Null if it has none. */
  privatePort: number | null;
  /**
   * Tells clients to close their connections, with every answer from now on, while new requests and connections are
   * still accepted. Stops accepting connections after `drainMs`, and then resolves.
   */
  drain(drainMs: number): Promise<void>;
  /** Stops accepting connections; running requests may finish. Resolves when the last connection is closed. */
  close(): Promise<void>;
  /** Resolves when the requests that run have been answered, streams apart, or when `limit` aborts. */
  answered(limit: AbortSignal): Promise<void>;
  /** Cuts remaining connections shortly after, because a client that does not read would keep the process alive. */
  cutSoon(): void;
}

/** Listens; rejects if the port is not available. */
export async function startHttpServer(handler: RequestListener, options: HttpServerOptions): Promise<HttpServer> {
  let closed: Promise<void> | undefined;
  let isDraining = false;
  const running = new Set<ServerResponse>();
  const { idleMs, ...times } = options.times ?? defaultTimes;
  const serve: RequestListener = (request, response) => {
    // Each layer listens for the end of a request, and streams have more layers.
    response.setMaxListeners(20);
    running.add(response.once('close', () => running.delete(response)));
    closeInStages(request);
    if (isDraining) announceClose(response);
    handler(request, response);
  };
  // The header `Host` is checked in `http/host-header.ts`, which can render a problem.
  const server = createServer({ ...times, requireHostHeader: false }, oneAtATime(serve));
  server.timeout = idleMs;
  limitConnections(server, options);
  const port = await listen(server, options);
  const inner = createSocketServer((socket) => server.emit('connection', socket));
  const own = { host: '127.0.0.1', port: 0, exclusive: true };
  const privatePort = options.hasPrivatePort ? await listen(inner, own) : null;
  const close = () => {
    isDraining = true;
    closed ??= Promise.all([server, inner].map(closeServer)).then(() => undefined);
    for (const response of running) endWithConnection(response);
    server.closeIdleConnections();
    return closed;
  };
  const drain = async (drainMs: number) => {
    isDraining = true;
    for (const response of running) announceClose(response);
    if (drainMs > 0) await sleep(drainMs);
    void close();
  };
  const { host } = options;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    privatePort,
    drain,
    close,
    answered: async (limit) => {
      const requests = [...running].filter((response) => !isEventStream(response));
      await Promise.allSettled(requests.map((response) => once(response, 'close', { signal: limit })));
    },
    cutSoon: () => void setTimeout(() => server.closeAllConnections(), shutdownTimeoutMs).unref(),
  };
}

/** Tells the client to close the connection, so that it sends its next request elsewhere. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** Ends the connection with the response, even if it is too late to say so. */
function endWithConnection(response: ServerResponse): void {
  const { socket } = response;
  if (response.headersSent) response.once('finish', () => socket?.destroySoon());
  else announceClose(response);
}

function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader('Content-Type')).startsWith('text/event-stream');
}

type Place = { host: string; port: number; exclusive?: boolean };

/** Resolves to the port. */
async function listen(server: Server, { host, port, exclusive = false }: Place): Promise<number> {
  server.listen({ host, port, exclusive, backlog });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function closeServer(server: Server): Promise<unknown> {
  return new Promise((resolve) => server.close(resolve));
}
