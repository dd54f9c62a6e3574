import { Socket } from 'node:net';
import pLimit from 'p-limit';
import pg from 'pg';
import { pause, withinMs } from '../platform/async/time-limit.js';
import type { Notification } from './notifications.js';

export interface ListenConnectionOptions {
  url: string;
  channels: readonly string[];
  /** Under it the sessions of one service recognize each other. */
  applicationName: string;
  /** Whether the process generates responses. The names of the sessions say it. */
  isWorker: boolean;
  /** The interval at which the connection's channels are checked. */
  checkIntervalMs: number;
  /** Timeout for connecting and for each response. */
  limitMs: number;
  /** Called with the notifications of other sessions. */
  onNotification(channel: string, payload: string): void;
}

/** Everybody listens to it: who begins to listen says so. */
export const nodeListens = 'node_listens';

/** What the name of a session ends in whose process is no worker. */
const withoutWorker = ' without worker';

/** A condition in SQL: another session listens under the application name. */
function othersListen(name: string): string {
  return `EXISTS (SELECT FROM pg_stat_activity WHERE ${isOther(name)})`;
}

/** A condition in SQL: the process of another session under the application name may be a worker. */
function othersWork(name: string): string {
  return `EXISTS (SELECT FROM pg_stat_activity WHERE ${isOther(name)} AND application_name <> ${name} || '${withoutWorker}')`;
}

function isOther(name: string): string {
  return `datname = current_database() AND starts_with(application_name, ${name}) AND pid <> pg_backend_pid()`;
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
  readonly #inTurn = pLimit(1);
  #processId: number | undefined;
  #hasPeers = true;

  constructor(options: ListenConnectionOptions) {
    this.#options = options;
    this.#client = new pg.Client({
      connectionString: options.url,
      application_name: options.applicationName + (options.isWorker ? '' : withoutWorker),
      connectionTimeoutMillis: options.limitMs,
      keepAlive: true,
      stream: () => this.#socket,
    });
    this.#client.on('notification', ({ channel, payload = '', processId }) => {
      if (processId !== this.#processId) options.onNotification(channel, payload);
    });
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
    await this.#inTime(() => this.#client.query([...commands, `NOTIFY ${nodeListens}`].join('; ')));
    const text = `SELECT pg_backend_pid() AS pid, ${othersListen('$1')} AS "hasPeers"`;
    const values = [this.#options.applicationName];
    const { rows } = await this.#inTime(() => this.#client.query<{ pid: number; hasPeers: boolean }>(text, values));
    this.#processId = rows[0]?.pid;
    this.#hasPeers = rows[0]?.hasPeers ?? true;
    void this.#keepChecking();
  }

  /** Whether others were already listening when this connection began to. */
  get hasPeers(): boolean {
    return this.#hasPeers;
  }

  /**
   * Notifies the other sessions. Unless `peersListen`, does nothing if there is none that listens as this one does, which it
   * recognizes by the application name; then false.
   */
  async notify(notifications: readonly Notification[], peersListen: boolean): Promise<boolean> {
    const channels = notifications.map(({ channel }) => channel);
    const payloads = notifications.map(({ payload }) => payload);
    const text = `SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS notification (channel, payload)
      WHERE $3 OR ${othersListen('$4')}`;
    const values = [channels, payloads, peersListen, this.#options.applicationName];
    const { rowCount } = await this.#inTime(() => this.#client.query({ name: 'notify', text, values }));
    return rowCount !== 0;
  }

  /** Whether another session listens as this one does. */
  othersListen(): Promise<boolean> {
    return this.#holds({ name: 'others listen', condition: othersListen('$1') });
  }

  /** Whether another process that may be a worker listens as this one does. */
  othersWork(): Promise<boolean> {
    return this.#holds({ name: 'others work', condition: othersWork('$1') });
  }

  /** Closes the connection, and waits only briefly for a peer that may be dead. */
  async close(): Promise<void> {
    this.#unusable.abort('closed');
    await withinMs(500, this.#client.end());
    this.#socket.destroy();
  }

  /** Asks for a condition on the application name, by a statement that is prepared under the name. */
  async #holds({ name, condition }: { name: string; condition: string }): Promise<boolean> {
    const text = `SELECT ${condition} AS holds`;
    const values = [this.#options.applicationName];
    const { rows } = await this.#inTime(() => this.#client.query<{ holds: boolean }>({ name, text, values }));
    return rows[0]?.holds ?? true;
  }

  /** Sends a statement when those before it were answered: the client is not made to have several under way. */
  async #inTime<T>(statement: () => Promise<T>): Promise<T> {
    const done = await this.#inTurn(() => withinMs(this.#options.limitMs, statement()));
    if (done === undefined) throw new Error('PostgreSQL did not answer in time');
    return done;
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
      const text = 'SELECT pg_listening_channels() AS channel';
      const result = await this.#inTime(() => this.#client.query<{ channel: string }>(text));
      const listening = new Set(result.rows.map(({ channel }) => channel));
      return this.#options.channels.every((channel) => listening.has(channel)) ? undefined : 'it listens no more';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
