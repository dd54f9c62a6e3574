/**
 * One connection that LISTENs, outside of every pool and straight to PostgreSQL (PgBouncer's transaction mode does not carry
 * LISTEN). A notification is a hint and may get lost, so after each gap every subscriber is told to look for itself. A
 * half-open connection raises no error at all (pg-boss #850); so the connection is asked at intervals what it listens to, and
 * replaced where it does not answer in time. One loop does all connecting, so two attempts never run side by side.
 */
import { once } from 'node:events';
import type { Logger } from 'pino';
import { pause } from '../async/time-limit.js';
import { ListenConnection } from './listen-connection.js';

export interface ChannelHandler {
  onNotification(payload: string): void;
  /** The connection is back after a gap, and notifications may have been lost: look at the tables. */
  onReconnect(): void;
}

export interface ListenerOptions {
  /** Straight to PostgreSQL: DIRECT_DATABASE_URL where there is a pooler. */
  url: string;
  channels: readonly string[];
  applicationName: string;
  logger: Logger;
  checkIntervalMs?: number;
  checkLimitMs?: number;
  /** The first pause before a new attempt; it doubles with each one up to `longestPauseMs`, and half of it is random. */
  firstPauseMs?: number;
  longestPauseMs?: number;
}

/** Connects and listens; rejects where the first connection fails. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const listener = new Listener(options);
  await listener.open();
  return listener;
}

export class Listener {
  private readonly options: Required<ListenerOptions>;
  private readonly handlers: Map<string, Set<ChannelHandler>>;
  private readonly closing = new AbortController();
  private finished: Promise<void> = Promise.resolve();

  constructor(options: ListenerOptions) {
    this.options = {
      checkIntervalMs: 10_000,
      checkLimitMs: 5_000,
      firstPauseMs: 100,
      longestPauseMs: 2_000,
      ...options,
    };
    this.handlers = new Map(options.channels.map((channel) => [channel, new Set()]));
  }

  /** Subscribes to one of the channels. Returns the function that ends the subscription. */
  on(channel: string, handler: ChannelHandler): () => void {
    const handlers = this.handlers.get(channel);
    if (!handlers) throw new Error(`The listener was not started with the channel "${channel}"`);
    handlers.add(handler);
    return () => handlers.delete(handler);
  }

  async open(): Promise<void> {
    this.finished = this.run(await this.connect());
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.finished;
  }

  private async run(first: ListenConnection): Promise<void> {
    const { logger } = this.options;
    const closed = once(this.closing.signal, 'abort');
    let connection = first;
    for (;;) {
      const reason = await Promise.race([connection.lost, closed]);
      await connection.close();
      if (this.closing.signal.aborted) return;
      logger.warn({ reason }, 'the notification connection was lost; reconnecting');
      const next = await this.reconnect();
      if (!next) return;
      connection = next;
      logger.info('the notification connection was restored');
      for (const handlers of this.handlers.values()) this.each(handlers, (handler) => handler.onReconnect());
    }
  }

  /** A new connection, however long that takes; undefined once the listener is being closed. */
  private async reconnect(): Promise<ListenConnection | undefined> {
    const { firstPauseMs, longestPauseMs, logger } = this.options;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      await pause(pauseMs * (0.5 + Math.random() / 2), this.closing.signal);
      if (this.closing.signal.aborted) return undefined;
      try {
        return await this.connect();
      } catch (error) {
        logger.warn({ err: error }, 'the notification connection could not be established');
      }
    }
  }

  private async connect(): Promise<ListenConnection> {
    const connection = new ListenConnection({
      url: this.options.url,
      channels: this.options.channels,
      applicationName: this.options.applicationName,
      checkIntervalMs: this.options.checkIntervalMs,
      limitMs: this.options.checkLimitMs,
      onNotification: (channel, payload) =>
        this.each(this.handlers.get(channel), (handler) => handler.onNotification(payload)),
    });
    try {
      await connection.open();
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** One subscriber's defect must not cost the others their notification. */
  private each(handlers: Iterable<ChannelHandler> = [], call: (handler: ChannelHandler) => void): void {
    for (const handler of handlers) {
      try {
        call(handler);
      } catch (error) {
        this.options.logger.error({ err: error }, 'a notification handler failed');
      }
    }
  }
}
