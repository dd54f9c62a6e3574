/**
 * When a viewer looks at the row of its response: at once, whenever the log calls for it, after some time without tokens,
 * and now and then in any case, because the right to see it may be gone. It joins the log before it reads the row, so a
 * change between the two is not lost. A database that cannot be read holds a viewer up, and ends it only after long.
 */
import { type Clock, systemClock } from '../../../async/clock.js';
import { Signal, type WakeSource } from '../../../async/signal.js';
import type { LogReader } from '../../tokens/log/log-reader.js';
import type { TokenLog } from '../../tokens/log/token-log.js';
import type { ResponseSnapshot } from './response-event.js';

export interface ResponseWatchOptions {
  responseId: string;
  log: TokenLog;
  /**
   * Reads the row; null when the viewer may not see it (any more), which ends the stream without a further event. The
   * text is asked for at the first read, and at the end if the log did not have it. A read that throws is repeated for
   * `visibilityMs`, except the first.
   */
  read: (options: { withText: boolean }) => Promise<ResponseSnapshot | null>;
  /** Time without tokens after which the row is read again. */
  recheckMs?: number;
  /** Time after which the row is read again although tokens come: how long a revoked token may go on. */
  visibilityMs?: number;
  clock?: Clock;
}

const defaults = { recheckMs: 2000, visibilityMs: 60_000, clock: systemClock };

export class ResponseWatch {
  readonly reader: LogReader;
  readonly #options: Required<ResponseWatchOptions>;
  readonly #signal = new Signal();
  #revision: number | undefined;
  #lookAt = 0;
  #verifyAt = 0;
  #closed = false;

  constructor(options: ResponseWatchOptions) {
    this.#options = { ...defaults, ...options };
    this.reader = options.log.attach(options.responseId);
  }

  /** True when there is nobody to show anything to any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** True when the process stops: what is over can still be shown to its end, and nothing else is worth a wait. */
  get stopping(): boolean {
    return this.#options.log.closed;
  }

  isLookDue(): boolean {
    return this.reader.revision !== this.#revision || this.#options.clock.now() >= this.#lookAt;
  }

  /** The row now; null when the viewer may not see it, or is closed. Throws what the read throws, in the end. */
  async look({ withText }: { withText: boolean }): Promise<ResponseSnapshot | null> {
    const { clock, read, recheckMs, visibilityMs } = this.#options;
    const giveUpAt = this.#revision === undefined ? clock.now() : clock.now() + visibilityMs;
    while (!this.closed) {
      const revision = this.reader.revision;
      try {
        const row = await read({ withText });
        this.#revision = revision;
        this.#verifyAt = clock.now() + visibilityMs;
        this.tokensCame();
        return row;
      } catch (error) {
        // Until then a viewer is better held up than sent away: it would come back to a database that is still down.
        if (clock.now() >= giveUpAt) throw error;
        if (this.stopping) return null;
      }
      await this.#sleep(recheckMs);
    }
    return null;
  }

  /** Puts the next look off: while tokens come, the row is not news. */
  tokensCame(): void {
    const { clock, recheckMs } = this.#options;
    this.#lookAt = Math.min(clock.now() + recheckMs, this.#verifyAt);
  }

  /** Waits for news from the log, for the next look to be due, or for the close. */
  async wait(): Promise<void> {
    if (this.isLookDue()) return;
    await this.#sleep(this.#lookAt - this.#options.clock.now(), (wake) => this.reader.wait(wake));
  }

  close(): void {
    this.#closed = true;
    this.#signal.wake();
    this.reader.close();
  }

  async #sleep(delayMs: number, ...sources: WakeSource[]): Promise<void> {
    if (!this.closed) await this.#signal.sleep((wake) => this.#options.clock.after(delayMs, wake), ...sources);
  }
}
