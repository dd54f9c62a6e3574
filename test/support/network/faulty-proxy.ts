/**
 * A way to a server that fails. It can lose the answer to one request: the server has carried it out, and whoever asked does not hear
 * of it; afterwards the connection is broken, or stays open without a word, and new ones may be refused. And it can fall silent:
 * connections stay open, and nothing comes through.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

interface Loss {
  /** In what the request says. */
  about: string;
  /** The connection stays open, so that the loss is never noticed. */
  isSilent?: boolean;
  /** Nobody can connect until `restore()`. */
  isClosed?: boolean;
}

/** Where the server of a database listens: on a port, or in a folder. */
export function databaseTarget(databaseUrl: string): NetConnectOpts {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const folder = searchParams.get('host');
  return folder ? { path: `${folder}/.s.PGSQL.${port || '5432'}` } : { host: hostname, port: Number(port || '5432') };
}

export class FaultyProxy {
  /** Answers that were lost. */
  losses = 0;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [client: Socket, server: Socket]>();
  #loss: Loss | undefined;
  #isClosed = false;
  #isSilent = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(target: NetConnectOpts): Promise<FaultyProxy> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new FaultyProxy(server);
    server.on('connection', (client) => proxy.#join(client, connect(target)));
    return proxy;
  }

  /** In front of the database of this URL; `url` leads to it over this way. */
  static async before(databaseUrl: string): Promise<{ proxy: FaultyProxy; url: string }> {
    const proxy = await FaultyProxy.start(databaseTarget(databaseUrl));
    const url = new URL(databaseUrl);
    url.searchParams.delete('host');
    url.host = `127.0.0.1:${proxy.port}`;
    return { proxy, url: url.href };
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Loses the answer to the next such request, once. */
  lose(loss: Loss): void {
    this.#loss = loss;
  }

  /** From now on no answer comes through the present connections. New ones work. */
  mute(): void {
    for (const [, server] of this.#pairs) server.pause();
  }

  /** From now on nothing comes through, in either direction and over new connections too. */
  silence(): void {
    this.#isSilent = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** Works again for new connections. Those that were silent are cut, as a network would have lost what they carried. */
  restore(): void {
    this.#isClosed = false;
    if (this.#isSilent) this.#cut();
    this.#isSilent = false;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  #join(client: Socket, server: Socket): void {
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    if (this.#isClosed) {
      end();
      return;
    }
    let lost: Loss | undefined;
    client.on('data', (bytes) => {
      if (this.#loss && bytes.includes(this.#loss.about)) {
        lost = this.#loss;
        this.#loss = undefined;
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (!lost) client.write(bytes);
      else if (isWhole(bytes)) this.#take(lost, end);
    });
    if (this.#isSilent) for (const socket of pair) socket.pause();
  }

  #take({ isSilent, isClosed }: Loss, end: () => void): void {
    this.losses += 1;
    if (!isSilent) end();
    if (!isClosed) return;
    this.#isClosed = true;
    this.#cut();
  }
}

/** Whether the request was carried out: PostgreSQL is ready for another one, or Redis has sent its line. Messages may come before. */
function isWhole(bytes: Buffer): boolean {
  return bytes.at(-1) === 0x0a || bytes.subarray(-6, -1).equals(Buffer.from('Z\0\0\0\x05', 'latin1'));
}
