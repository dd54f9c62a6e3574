/** Stands between a browser and the service, and can cut every connection and refuse new ones, like a network that is gone. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export class LosingProxy {
  readonly url: string;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(
    private readonly server: Server,
    target: number,
  ) {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    this.url = `http://127.0.0.1:${address.port}`;
    server.on('connection', (client) => {
      if (this.#isCut) client.destroy();
      else this.#join(client, connect(target, '127.0.0.1'));
    });
  }

  static async start(target: number): Promise<LosingProxy> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LosingProxy(server, target);
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  #join(client: Socket, service: Socket): void {
    for (const [socket, other] of [[client, service] as const, [service, client] as const]) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
