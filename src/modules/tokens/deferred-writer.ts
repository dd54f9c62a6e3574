/**
 * Sends text to other processes only if there are any. Otherwise it stays in the token log of this process, and whoever
 * begins to listen while a response runs gets all of it from there: so a service of one process writes no text for others,
 * and a second one may still join at any time.
 */
import { type Clock, systemClock } from '../../platform/async/clock.js';
import type { Offsets, TokenEntry } from './log/attempt-text.js';
import type { LoggedAttempt } from './log/log-reader.js';
import type { TokenWriter } from './log/token-log.js';

export interface DeferredWriterOptions {
  /** Sends to the other processes. */
  remote: TokenWriter;
  /** Returns the attempt of a response in the log of this process. */
  find: (responseId: string) => LoggedAttempt | undefined;
  /** Whether another process listens. Rejects while that is unknown. */
  othersListen: () => Promise<boolean>;
  onError: (error: unknown) => void;
  clock?: Clock;
}

/** How long an answer of `othersListen` counts. */
const knownMs = 1_000;
/** UTF-8 bytes that are taken from the log at a time. */
const maxBytes = 256 * 1024;

export class DeferredWriter implements TokenWriter {
  readonly #options: DeferredWriterOptions;
  readonly #clock: Clock;
  /** The attempts of which nothing was sent, by response. */
  readonly #deferred = new Map<string, number>();
  #peersListen = true;
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(options: DeferredWriterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  open(responseId: string, epoch: number): boolean {
    if (this.#clock.now() - this.#askedMs >= knownMs) void this.look();
    this.#deferred.delete(responseId);
    if (this.#peersListen) return this.#options.remote.open(responseId, epoch);
    this.#deferred.set(responseId, epoch);
    return true;
  }

  append(responseId: string, epoch: number, entry: TokenEntry): boolean {
    const deferred = this.#deferred.get(responseId);
    return deferred === undefined ? this.#options.remote.append(responseId, epoch, entry) : deferred === epoch;
  }

  end(responseId: string, epoch: number): void {
    if (this.#deferred.get(responseId) === epoch) this.#deferred.delete(responseId);
    else this.#options.remote.end(responseId, epoch);
  }

  /** Whether the response is under way here and nothing of it was sent, because nobody else listens. */
  isDeferred(responseId: string): boolean {
    return this.#deferred.has(responseId);
  }

  /** Sends what was kept, because another process has said that it listens. */
  hear(): void {
    this.#peersListen = true;
    for (const [responseId, epoch] of this.#deferred) this.#send(responseId, epoch);
    this.#deferred.clear();
  }

  /** Asks who listens, because that may have changed, and sends what was kept if somebody does. Never rejects. */
  async look(): Promise<void> {
    this.#askedMs = this.#clock.now();
    try {
      this.#peersListen = await this.#options.othersListen();
    } catch (error) {
      this.#options.onError(error);
      return;
    }
    if (this.#peersListen) this.hear();
  }

  #send(responseId: string, epoch: number): void {
    const { remote, find } = this.#options;
    remote.open(responseId, epoch);
    const attempt = find(responseId);
    if (attempt?.epoch !== epoch) return;
    let from: Offsets = { text: 0, thinking: 0 };
    for (;;) {
      const chunk = attempt.transcript.next(from, { thinking: true, maxBytes });
      if (!chunk) return;
      remote.append(responseId, epoch, { kind: chunk.kind, text: chunk.text });
      from = chunk.upTo;
    }
  }
}
