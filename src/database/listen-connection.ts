import { Socket } from 'node:net';
import pg from 'pg';
import { pause, withinMs } from '../async/time-limit.js';

export interface ListenConnectionOptions {
  url: string;
  channels: readonly string[];
  applicationName: string;
  /** The interval at which the connection's channels are checked. */
  checkIntervalMs: number;
  /** Timeout for connecting and for each response. */
  limitMs: number;
  onNotification(channel: string, payload: string): void;
}

/** A connection that listens to a fixed set of channels. It is used until it fails once, and then thrown away. */
export class ListenConnection {
  readonly #options: ListenConnectionOptions;
  /** Resolves with the reason when the connection breaks, is closed, or no longer answers. Never rejects. */
  readonly lost: Promise<string>;
  readonly #client: pg.Client;
  /** A socket of our own, so that a connection to a dead peer can be closed: `end()` would wait for a response. */
  readonly #socket = new Socket();
  readonly #unusable = new AbortController();

  constructor(options: ListenConnectionOptions) {
    this.#options = options;
    this.#client = new pg.Client({
      connectionString: options.url,
      application_name: options.applicationName,
      connectionTimeoutMillis: options.limitMs,
      keepAlive: true,
      stream: () => this.#socket,
    });
    this.#client.on('notification', ({ channel, payload = '' }) => options.onNotification(channel, payload));
    this.#client.on('error', (error) => this.#unusable.abort(error.message));
    this.#client.on('end', () => this.#unusable.abort('the connection ended'));
    const { signal } = this.#unusable;
    this.lost = new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(String(signal.reason)), { once: true });
    });
  }

  async open(): Promise<void> {
    await this.#client.connect();
    const commands = this.#options.channels.map((channel) => `LISTEN ${this.#client.escapeIdentifier(channel)}`);
    const done = await withinMs(this.#options.limitMs, this.#client.query(commands.join('; ')));
    if (done === undefined) throw new Error('PostgreSQL did not answer in time');
    void this.#keepChecking();
  }

  /** Closes the connection, and waits only briefly for a peer that may be dead. */
  async close(): Promise<void> {
    this.#unusable.abort('closed');
    await withinMs(500, this.#client.end());
    this.#socket.destroy();
  }

  async #keepChecking(): Promise<void> {
    const { signal } = this.#unusable;
    while (!signal.aborted) {
      await pause(this.#options.checkIntervalMs, signal);
      const problem = signal.aborted ? undefined : await this.#problem();
      if (problem !== undefined) this.#unusable.abort(problem);
    }
  }

  /** The problem with the connection; undefined if it responds and listens to every channel. */
  async #problem(): Promise<string | undefined> {
    try {
      const query = this.#client.query<{ channel: string }>('SELECT pg_listening_channels() AS channel');
      const result = await withinMs(this.#options.limitMs, query);
      if (result === undefined) return 'no answer in time';
      const listening = new Set(result.rows.map(({ channel }) => channel));
      return this.#options.channels.every((channel) => listening.has(channel)) ? undefined : 'it listens no more';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
