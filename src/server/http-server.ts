import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitAddresses } from './connections-of-addresses.js';
import { closeInStages } from './lingering-close.js';
import { answerProtocolErrors, refuseUnknownFraming } from './protocol-errors.js';
import { oneAtATime } from './request-line.js';

/** How long streams that were told to end may take before their connections are cut. */
const farewellMs = 500;

/** Longer than load balancers keep an idle connection: whoever closes first must be the one that sends. */
const idleConnectionMs = 65_000;

/**
 * Connections that the system may hold until they are accepted; more than its own limit (`net.core.somaxconn`) it does not. Beyond
 * Node's 511 a client waits a second, then three, until it tries again, when somebody else opens a thousand at once.
 */
const backlog = 4096;

/** How long a client may take to send a request. */
export interface RequestTimes {
  headMs: number;
  /** Of the whole request, its body too. */
  requestMs: number;
  /** How often connections are looked at for that. */
  lookMs: number;
  /** How long nothing may go over a connection while a request runs or its answer is not taken. Streams have a limit of their own. */
  idleMs: number;
}

export const defaultRequestTimes: RequestTimes = { headMs: 15_000, requestMs: 300_000, lookMs: 5_000, idleMs: 120_000 };

/** Requests that a connection may send ahead, before the answer to the one that runs. */
const pipelined = 100;

function optionsOf({ headMs, requestMs, lookMs }: RequestTimes): ServerOptions {
  return {
    keepAliveTimeout: idleConnectionMs,
    headersTimeout: headMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: lookMs,
    // Looked at where the refusal can be a problem like every other.
    requireHostHeader: false,
  };
}

export interface HttpServerOptions {
  host: string;
  port: number;
  /** Open at the same time. When that many are, idle ones are closed to make room. */
  maxConnections: number;
  /** Of one address; undefined: all of them. */
  connectionsPerAddress?: number;
  /** Whether many may share an address, so that it is not counted. */
  isSharedAddress?: (address: string) => boolean;
  times?: RequestTimes;
}

export interface HttpServer {
  url: string;
  /** Accepts no more; requests that run may finish. Resolves when the last connection is gone. */
  close(): Promise<void>;
  /** Cuts what is still open after a moment: a client that does not read would keep the process for ever. */
  cutSoon(): void;
}

/** Listens; rejects where the port cannot be had. */
export async function startHttpServer(handler: RequestListener, options: HttpServerOptions): Promise<HttpServer> {
  let closed: Promise<void> | undefined;
  const running = new Set<ServerResponse>();
  const serve: RequestListener = (request, response) => {
    // Each layer of a request listens for its end, and a stream has some more of them.
    response.setMaxListeners(20);
    running.add(response.once('close', () => running.delete(response)));
    closeInStages(request);
    if (closed) endWithConnection(response);
    handler(request, response);
  };
  const server = createServer(
    optionsOf(options.times ?? defaultRequestTimes),
    oneAtATime(refuseUnknownFraming(serve), pipelined),
  );
  server.timeout = (options.times ?? defaultRequestTimes).idleMs;
  answerProtocolErrors(server);
  server.maxConnections = options.maxConnections;
  limitAddresses(server, options);
  server.on('drop', () => server.closeIdleConnections());
  const url = await listen(server, options);
  const close = () => {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
    for (const response of running) endWithConnection(response);
    server.closeIdleConnections();
    return closed;
  };
  return { url, close, cutSoon: () => void setTimeout(() => server.closeAllConnections(), farewellMs).unref() };
}

/** The client is told where that can still be said, so that it sends its next request elsewhere. */
function endWithConnection(response: ServerResponse): void {
  const { socket } = response;
  if (response.headersSent) response.once('finish', () => socket?.destroySoon());
  else response.setHeader('Connection', 'close');
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      const bound = (server.address() as AddressInfo).port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}
