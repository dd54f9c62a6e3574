/** A TCP proxy in front of a Unix socket that can cut its connections, or go silent: half-open, without an error. */
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';

export class FaultyProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #silent = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(socketPath: string): Promise<FaultyProxy> {
    const server = createServer();
    const proxy = new FaultyProxy(server);
    server.on('connection', (client) => proxy.#connect(client, socketPath));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends every connection at once. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** Swallows everything from now on, in both directions; connections stay open. */
  silence(): void {
    this.#silent = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** Lets new connections through again. What was silenced is lost, as on a real network, so it is cut. */
  restore(): void {
    this.#silent = false;
    this.cut();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #connect(client: Socket, socketPath: string): void {
    const upstream = createConnection(socketPath);
    const pair = [client, upstream] as const;
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    client.pipe(upstream);
    upstream.pipe(client);
    if (this.#silent) for (const socket of pair) socket.pause();
  }
}
