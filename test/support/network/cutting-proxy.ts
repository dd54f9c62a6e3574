/**
 * Stands between a client and its server, and can let a request through and cut the connection before the answer, or swallow
 * whatever its present connections answer.
 */
import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

/** Where the server of a database listens: on a port, or in a folder. */
export function databaseTarget(databaseUrl: string): NetConnectOpts {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const folder = searchParams.get('host');
  return folder ? { path: `${folder}/.s.PGSQL.${port || '5432'}` } : { host: hostname, port: Number(port || '5432') };
}

export class CuttingProxy {
  readonly port: number;
  /** Answers that were lost. */
  cuts = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cutAfter: string | undefined;
  readonly #muted = new WeakSet<Socket>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async start(target: NetConnectOpts): Promise<CuttingProxy> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const proxy = new CuttingProxy(server, address.port);
    server.on('connection', (client) => proxy.#join(client, connect(target)));
    return proxy;
  }

  /** In front of the database of this URL; `url` leads to it over this way. */
  static async before(databaseUrl: string): Promise<{ proxy: CuttingProxy; url: string }> {
    const proxy = await CuttingProxy.start(databaseTarget(databaseUrl));
    const url = new URL(databaseUrl);
    url.searchParams.delete('host');
    url.host = `127.0.0.1:${proxy.port}`;
    return { proxy, url: url.href };
  }

  /** The next request that holds these characters reaches the server, and its answer does not reach the client. */
  loseAnswerTo(characters: string): void {
    this.#cutAfter = characters;
  }

  /** From now on the present connections stay open, and no answer comes through them. New ones work. */
  mute(): void {
    for (const socket of this.#sockets) this.#muted.add(socket);
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket, server: Socket): void {
    let isDoomed = false;
    for (const [socket, other] of [[client, server] as const, [server, client] as const]) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (this.#cutAfter !== undefined && chunk.includes(this.#cutAfter)) {
        this.#cutAfter = undefined;
        isDoomed = true;
      }
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      if (this.#muted.has(server)) return;
      if (!isDoomed) client.write(chunk);
      else if (!client.destroyed) {
        this.cuts += 1;
        client.destroy();
      }
    });
  }
}
