/**
 * A dedicated connection for LISTEN, outside of any pool and directly to PostgreSQL (PgBouncer's transaction mode does
 * not support LISTEN). Notifications are hints and may be lost, so after each gap every subscriber is told to check for
 * itself. A half-open connection raises no error (pg-boss #850); therefore its channels are checked at intervals, and
 * it is replaced if the response is late. A single loop connects, so attempts never overlap.
 */
import { once } from 'node:events';
import type { Logger } from 'pino';
import { systemClock } from '../platform/async/clock.js';
import { RepeatedFailure } from '../platform/async/repeated-failure.js';
import { pause } from '../platform/async/time-limit.js';
import { ListenConnection, nodeListens } from './listen-connection.js';
import { knownMs, NotificationSender } from './notification-sender.js';
import type { Notification } from './notifications.js';

export interface ChannelHandler {
  onNotification(payload: string): void;
  /** Called when the connection is lost: from now on, notifications may be missing. */
  onLost?(): void;
  /** Called while connected when notifications may have been missed, such as after a reconnection: read the tables. */
  onReconnect(): void;
}

export interface ListenerOptions {
  /** A direct URL of PostgreSQL: DIRECT_DATABASE_URL if there is a pooler. */
  url: string;
  channels: readonly string[];
  /** Under it the listeners of one service recognize each other. */
  applicationName: string;
  /** Whether this process generates responses. */
  isWorker?: boolean;
  logger: Logger;
  checkIntervalMs?: number;
  checkLimitMs?: number;
  /** The delay before the first retry. It doubles with each retry up to `longestPauseMs`, and half of it is random. */
  firstPauseMs?: number;
  longestPauseMs?: number;
  /** Whether other processes may listen to the same database: then notifications are passed on to them. */
  hasPeers?: boolean;
}

export class Listener {
  readonly #options: Required<ListenerOptions>;
  readonly #handlers: Map<string, Set<ChannelHandler>>;
  readonly #closing = new AbortController();
  readonly #sender: NotificationSender;
  readonly #lost = new RepeatedFailure();
  readonly #unsent = new RepeatedFailure();
  #connection: ListenConnection | undefined;
  #finished: Promise<void> = Promise.resolve();
  #reconnects = 0;

  constructor(options: ListenerOptions) {
    this.#options = {
      checkIntervalMs: 10_000,
      checkLimitMs: 5_000,
      firstPauseMs: 100,
      longestPauseMs: 2_000,
      hasPeers: false,
      isWorker: true,
      ...options,
    };
    this.#handlers = new Map([...options.channels, nodeListens].map((channel) => [channel, new Set()]));
    this.#sender = new NotificationSender({
      send: async (notifications, peersListen) => this.#connected().notify(notifications, peersListen),
      onError: (error) => {
        const say = (fields: object) =>
          options.logger.warn(fields, 'other nodes could not be told of changes; retrying');
        this.#unsent.report(error, say);
      },
    });
  }

  /** Whether there is a connection now. */
  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** How often the connection was lost and restored. */
  get reconnects(): number {
    return this.#reconnects;
  }

  /** Subscribes to one of the channels, or to `nodeListens`. Returns the function that ends the subscription. */
  on(channel: string, handler: ChannelHandler): () => void {
    const handlers = this.#handlers.get(channel);
    if (!handlers) throw new Error(`The listener was not started with the channel "${channel}"`);
    handlers.add(handler);
    return () => handlers.delete(handler);
  }

  /**
   * Passes on what a transaction said, after its commit: at once to the handlers of this process, and to those of other
   * nodes as soon as it can be sent.
   */
  notify(notification: Notification): void {
    this.#each(this.#handlers.get(notification.channel), (handler) => handler.onNotification(notification.payload));
    if (this.#options.hasPeers && !this.#closing.signal.aborted) this.#sender.add(notification);
  }

  /** Whether another process listens under the same name. Rejects while there is no connection. */
  async othersListen(): Promise<boolean> {
    return this.#connected().othersListen();
  }

  /** Whether another process under the same name may be a worker. Rejects while there is no connection. */
  async othersWork(): Promise<boolean> {
    return this.#connected().othersWork();
  }

  /** Connects and listens. Rejects if the first connection fails; later ones are repeated. */
  async open(): Promise<void> {
    this.#finished = this.#run(await this.#connect());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#finished;
  }

  async #run(first: ListenConnection): Promise<void> {
    const { logger } = this.#options;
    const closed = once(this.#closing.signal, 'abort');
    let connection = first;
    for (;;) {
      const reason = await Promise.race([connection.lost, closed]);
      this.#connection = undefined;
      this.#sender.forget();
      for (const handlers of this.#handlers.values()) this.#each(handlers, (handler) => handler.onLost?.());
      await connection.close();
      if (this.#closing.signal.aborted) return;
      logger.warn({ reason }, 'the notification connection was lost; reconnecting');
      const next = await this.#reconnect();
      if (!next) return;
      connection = next;
      this.#reconnects += 1;
      logger.info('the notification connection was restored');
      this.#lookEverywhere();
    }
  }

  #lookEverywhere(): void {
    for (const handlers of this.#handlers.values()) this.#each(handlers, (handler) => handler.onReconnect());
  }

  /** Reconnects, however long that takes; undefined if the listener is closed meanwhile. */
  async #reconnect(): Promise<ListenConnection | undefined> {
    const { firstPauseMs, longestPauseMs, logger } = this.#options;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      await pause(pauseMs * (0.5 + Math.random() / 2), this.#closing.signal);
      if (this.#closing.signal.aborted) return undefined;
      try {
        return await this.#connect();
      } catch (error) {
        const say = (fields: object) => logger.warn(fields, 'the notification connection could not be established');
        this.#lost.report(error, say);
      }
    }
  }

  async #connect(): Promise<ListenConnection> {
    const connection = new ListenConnection({
      url: this.#options.url,
      channels: [...this.#handlers.keys()],
      applicationName: this.#options.applicationName,
      isWorker: this.#options.isWorker,
      checkIntervalMs: this.#options.checkIntervalMs,
      limitMs: this.#options.checkLimitMs,
      onNotification: (channel, payload) => this.#receive(channel, payload),
    });
    try {
      await connection.open();
    } catch (error) {
      await connection.close();
      throw error;
    }
    this.#connection = connection;
    if (this.#options.hasPeers && connection.hasPeers) this.#lookOnceKnown(connection);
    return connection;
  }

  #receive(channel: string, payload: string): void {
    if (channel === nodeListens) this.#sender.forget();
    this.#each(this.#handlers.get(channel), (handler) => handler.onNotification(payload));
  }

  /** Others may have believed for so long that nobody listens here, and have sent nothing. */
  #lookOnceKnown(connection: ListenConnection): void {
    systemClock.after(knownMs, () => {
      if (this.#connection === connection) this.#lookEverywhere();
    });
  }

  #connected(): ListenConnection {
    if (!this.#connection) throw new Error('The listener is not connected');
    return this.#connection;
  }

  /** Calls each handler; an error of one does not affect the others. */
  #each(handlers: Iterable<ChannelHandler> = [], call: (handler: ChannelHandler) => void): void {
    for (const handler of handlers) {
      try {
        call(handler);
      } catch (error) {
        this.#options.logger.error({ err: error }, 'a notification handler failed');
      }
    }
  }
}
