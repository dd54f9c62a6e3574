/**
 * A way to a PostgreSQL that loses things. It can lose the answer to one statement: the server has carried it out, and whoever
 * asked does not hear of it; afterwards the connection is broken, or stays open without a word, and new ones may be
 * refused. And it can swallow everything: connections are made and stay open, and nothing comes through.
 */
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { databaseTarget } from '../../support/network/cutting-proxy.js';

export interface Loss {
  /** In what the statement or its parameters say. */
  about: string;
  /** What becomes of the connection: `cut` is noticed at once, `silent` never. */
  connection: 'cut' | 'silent';
  /** True where nobody can connect until `restore()`. */
  closed: boolean;
}

export class LosingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #loss: Loss | undefined;
  #isClosed = false;
  #isSilent = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** In front of the server of this URL. */
  static async start(databaseUrl: string): Promise<LosingProxy> {
    const server = createServer();
    const proxy = new LosingProxy(server);
    const target = databaseTarget(databaseUrl);
    server.on('connection', (client) => proxy.#connect(client, createConnection(target)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The URL of the same database, over this way. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.search = '';
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** Loses the answer to the next statement of this kind, once. */
  lose(loss: Loss): void {
    this.#loss = loss;
  }

  /** Swallows everything from now on. */
  silence(): void {
    this.#isSilent = true;
  }

  /** Works again for new connections. Those that were silent have lost bytes, so they are cut. */
  restore(): void {
    this.#isClosed = false;
    if (!this.#isSilent) return;
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #connect(client: Socket, upstream: Socket): void {
    const pair = [client, upstream];
    const end = () => {
      for (const socket of pair) {
        this.#sockets.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of pair) this.#sockets.add(socket.on('error', end).on('close', end));
    if (this.#isClosed) {
      end();
      return;
    }
    let lost: Loss | undefined;
    client.on('data', (bytes) => {
      if (this.#isSilent) return;
      if (this.#loss && bytes.includes(this.#loss.about)) {
        lost = this.#loss;
        this.#loss = undefined;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (this.#isSilent) return;
      if (!lost) client.write(bytes);
      else if (isAtEnd(bytes)) this.#afterLoss(lost, end);
    });
  }

  #afterLoss({ connection, closed }: Loss, end: () => void): void {
    if (connection === 'cut') end();
    if (!closed) return;
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Whether the server is ready for another statement: only then was this one carried out. Messages may come before. */
function isAtEnd(bytes: Buffer): boolean {
  return bytes.subarray(-6, -1).equals(Buffer.from('Z\0\0\0\x05', 'latin1'));
}
