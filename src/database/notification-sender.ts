/**
 * Passes notifications on to other nodes by `NOTIFY`: many of a short time in one statement, which writes nothing and therefore
 * waits for no flush. With nobody else listening, nothing is sent. That nobody listens counts for a second after the
 * database was asked; a node that begins to listen beside others looks at everything one second later, so it misses
 * nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, systemClock } from '../platform/async/clock.js';
import type { Notification } from './notifications.js';

/** How long it may be assumed that nobody else listens, or that somebody does. */
export const knownMs = 1_000;

/** The time between two statements, in which notifications accumulate. */
const gapMs = 2;

/** The time before a failed statement is repeated. */
const retryMs = 1_000;

/** Wakes beyond this number are dropped while they cannot be sent: others find the changes by their own polls. */
const mostPending = 10_000;

export interface NotificationSenderOptions {
  /**
   * Notifies, unless nobody else listens: then false. `peersListen` says that somebody is known to listen, so that this need
   * not be checked. Rejects while there is no connection.
   */
  send: (notifications: readonly Notification[], peersListen: boolean) => Promise<boolean>;
  onError: (error: unknown) => void;
  clock?: Clock;
}

export class NotificationSender {
  readonly #options: NotificationSenderOptions;
  readonly #clock: Clock;
  #pending = new Map<string, Notification>();
  #peersListen = false;
  #knownUntil = Number.NEGATIVE_INFINITY;
  #isSending = false;

  constructor(options: NotificationSenderOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  add(notification: Notification): void {
    if (this.#isKnown && !this.#peersListen) return;
    if (this.#pending.size < mostPending)
      this.#pending.set(`${notification.channel} ${notification.payload}`, notification);
    if (!this.#isSending) void this.#send();
  }

  /** Forgets who listens, because another node has begun to. */
  forget(): void {
    this.#knownUntil = Number.NEGATIVE_INFINITY;
  }

  get #isKnown(): boolean {
    return this.#clock.now() < this.#knownUntil;
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    await nextTurn();
    const notifications = this.#pending;
    this.#pending = new Map();
    const failed = await this.#attempt([...notifications.values()]);
    if (failed) this.#pending = new Map([...notifications, ...this.#pending]);
    this.#clock.after(failed ? retryMs : gapMs, () => {
      this.#isSending = false;
      if (this.#pending.size > 0) void this.#send();
    });
  }

  async #attempt(notifications: Notification[]): Promise<boolean> {
    const askedMs = this.#clock.now();
    try {
      this.#peersListen = await this.#options.send(notifications, this.#isKnown && this.#peersListen);
      this.#knownUntil = askedMs + knownMs;
      return false;
    } catch (error) {
      this.#options.onError(error);
      return true;
    }
  }
}
