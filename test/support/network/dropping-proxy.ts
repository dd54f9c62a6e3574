/** Stands between a client and the service, and fails: for a while, or in the middle of the next piece of an answer. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export class DroppingProxy {
  /** Connections that were torn while the service was answering. */
  torn = 0;
  readonly origin: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #tearsNext = false;
  #isDown = false;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${port}`;
  }

  static async start(target: string): Promise<DroppingProxy> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const proxy = new DroppingProxy(server, address.port);
    const { hostname: host, port } = new URL(target);
    server.on('connection', (client) => {
      if (proxy.#isDown) client.resetAndDestroy();
      else proxy.#join(client, connect({ host, port: Number(port) }));
    });
    return proxy;
  }

  /** Of the next piece that the service sends, the first half arrives, and then the connection is reset. */
  tearNext(): void {
    this.#tearsNext = true;
  }

  /** Every connection is reset, and so is each new one until it comes back. */
  goDown(): void {
    this.#isDown = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  comeBack(): void {
    this.#isDown = false;
  }

  async close(): Promise<void> {
    this.goDown();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket, service: Socket): void {
    for (const [socket, other] of [[client, service] as const, [service, client] as const]) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(service);
    service.on('data', (piece) => {
      if (!this.#tearsNext) {
        client.write(piece);
        return;
      }
      this.#tearsNext = false;
      this.torn += 1;
      client.write(piece.subarray(0, piece.length / 2), () => client.resetAndDestroy());
    });
  }
}
