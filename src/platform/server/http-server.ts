import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitConnections } from './connection-limit.js';
import { limitAddresses } from './connections-of-addresses.js';
import { closeInStages } from './lingering-close.js';
import { oneAtATime } from './pipeline-queue.js';
import { answerProtocolErrors, refuseUnknownFraming } from './protocol-errors.js';

/** How long streams may take to end before their connections are cut. */
const shutdownTimeoutMs = 500;

/**
 * Longer than load balancers keep idle connections, so that they close first and never send on a connection that is
 * being closed.
 */
const idleConnectionMs = 65_000;

/**
 * The backlog of connections that the system holds until they are accepted, limited by `net.core.somaxconn`. With
 * Node's default of 511, clients would wait seconds for a retry while somebody opens a thousand connections at once.
 */
const backlog = 4096;

/** Timeouts for clients that send a request. */
export interface RequestTimes {
  headMs: number;
  /** For the whole request including its body. */
  requestMs: number;
  /** The interval at which connections are checked. */
  lookMs: number;
  /** How long a connection may be idle during a request or response. Streams have their own limit. */
  idleMs: number;
}

export const defaultRequestTimes: RequestTimes = { headMs: 15_000, requestMs: 300_000, lookMs: 5_000, idleMs: 120_000 };

/** Pipelined requests per connection. */
const pipelined = 100;

function optionsOf({ headMs, requestMs, lookMs }: RequestTimes): ServerOptions {
  return {
    keepAliveTimeout: idleConnectionMs,
    headersTimeout: headMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: lookMs,
    // Checked in `http/host-header.ts`, which can render a problem.
    requireHostHeader: false,
  };
}

export interface HttpServerOptions {
  host: string;
  port: number;
  /** Maximum open connections. When it is reached, idle ones are closed. */
  maxConnections: number;
  /** Maximum per address; undefined: unlimited. */
  connectionsPerAddress?: number;
  /** Whether many may share an address, so that it is not counted. */
  isSharedAddress?: (address: string) => boolean;
  /** Whether the port is this process's own, even if it is one of several that share the port of the service. */
  isPrivate?: boolean;
  times?: RequestTimes;
  /** Called with the limit for which a connection was closed. */
  onRefused?: (limit: 'connections' | 'connections-per-address') => void;
}

export interface HttpServer {
  url: string;
  /**
   * Tells clients to close their connections, with every answer from now on, while new requests and connections are
   * still accepted. Stops accepting connections after `drainMs`, and then resolves.
   */
  drain(drainMs: number): Promise<void>;
  /** Stops accepting connections; running requests may finish. Resolves when the last connection is closed. */
  close(): Promise<void>;
  /** Cuts remaining connections shortly after, because a client that does not read would keep the process alive. */
  cutSoon(): void;
}

/** Listens; rejects if the port is not available. */
export async function startHttpServer(handler: RequestListener, options: HttpServerOptions): Promise<HttpServer> {
  let closed: Promise<void> | undefined;
  let isDraining = false;
  const running = new Set<ServerResponse>();
  const serve: RequestListener = (request, response) => {
    // Each layer listens for the end of a request, and streams have more layers.
    response.setMaxListeners(20);
    running.add(response.once('close', () => running.delete(response)));
    closeInStages(request);
    if (isDraining) announceClose(response);
    handler(request, response);
  };
  const server = createServer(
    optionsOf(options.times ?? defaultRequestTimes),
    oneAtATime(refuseUnknownFraming(serve), pipelined),
  );
  server.timeout = (options.times ?? defaultRequestTimes).idleMs;
  answerProtocolErrors(server);
  limitConnections(server, options.maxConnections, () => options.onRefused?.('connections'));
  limitAddresses(server, options, () => options.onRefused?.('connections-per-address'));
  const url = await listen(server, options);
  const close = () => {
    isDraining = true;
    closed ??= new Promise((resolve) => server.close(() => resolve()));
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
  return {
    url,
    drain,
    close,
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

function listen(server: Server, { host, port, isPrivate = false }: HttpServerOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog, exclusive: isPrivate }, () => {
      server.off('error', reject);
      const bound = (server.address() as AddressInfo).port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}
