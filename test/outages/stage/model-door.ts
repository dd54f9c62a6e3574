/** An address in front of the model server that can be shut, as by a server that is down, and opened again. */
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../support/network/free-port.js';

export class ModelDoor {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #port: number;
  #target = 0;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
  }

  static async open(): Promise<ModelDoor> {
    const server = createServer();
    const door = new ModelDoor(server, await freePort());
    server.on('connection', (client) => door.#connect(client));
    await door.openAgain();
    return door;
  }

  /** What `AI_BASE_URL` must be. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  leadTo(modelUrl: string): void {
    this.#target = Number(new URL(modelUrl).port);
  }

  /** Breaks every connection, and refuses new ones. */
  async shut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
  }

  async openAgain(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
  }

  #connect(client: Socket): void {
    const upstream = createConnection(this.#target, '127.0.0.1');
    const pair = [client, upstream];
    const end = () => {
      for (const socket of pair) {
        this.#sockets.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of pair) this.#sockets.add(socket.on('error', end).on('close', end));
    client.pipe(upstream).pipe(client);
  }
}
