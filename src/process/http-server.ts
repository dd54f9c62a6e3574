import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How long streams that were told to end may take before their connections are cut. */
const farewellMs = 500;

/** Longer than load balancers keep an idle connection: whoever closes first must be the one that sends. */
const idleConnectionMs = 65_000;

export interface HttpServer {
  url: string;
  /** Accepts no more; requests that run may finish. Resolves when the last connection is gone. */
  close(): Promise<void>;
  /** Cuts what is still open after a moment: a client that does not read would keep the process for ever. */
  cutSoon(): void;
}

/** Listens; rejects where the port cannot be had. */
export async function startHttpServer(
  handler: RequestListener,
  address: { host: string; port: number },
): Promise<HttpServer> {
  let closed: Promise<void> | undefined;
  const running = new Set<ServerResponse>();
  const server = createServer({ keepAliveTimeout: idleConnectionMs }, (request, response) => {
    running.add(response.once('close', () => running.delete(response)));
    if (closed) endWithConnection(response);
    handler(request, response);
  });
  const url = await listen(server, address);
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
    server.listen(port, host, () => {
      server.off('error', reject);
      const bound = (server.address() as AddressInfo).port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}
