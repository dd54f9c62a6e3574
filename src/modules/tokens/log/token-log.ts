/**
 * What the running responses of this process have said so far, for any number of readers. The log is best effort: it may
 * be missing, incomplete or gone, and it says nothing about the outcome; only the response's row decides that. Writers
 * are fenced by the attempt's epoch, and a reader is only a position, so a slow or stalled one costs no memory.
 */

import { type Clock, systemClock } from '../../../async/clock.js';
import { Topics } from '../../../async/topic.js';
import { AttemptText, type TokenEntry } from './attempt-text.js';
import { type LoggedAttempt, LogReader } from './log-reader.js';

export interface TokenLogOptions {
  /** UTF-8 bytes of text that one response may have here, and as many of thinking. */
  maxResponseBytes: number;
  /** UTF-8 bytes of all logs together. */
  maxTotalBytes: number;
  /** How long a log is kept after its end. */
  keepEndedMs: number;
  clock: Clock;
  /** Told of the first reader of a response and of the last one's leaving: a feed then brings its tokens, or stops. */
  followers: Followers | undefined;
}

export interface Followers {
  follow(responseId: string): void;
  unfollow(responseId: string): void;
}

const defaults = {
  maxResponseBytes: 1024 * 1024,
  maxTotalBytes: 256 * 1024 * 1024,
  keepEndedMs: 60_000,
  clock: systemClock,
  followers: undefined,
} satisfies TokenLogOptions;

/** What a producer of tokens needs: the worker of this process, or a feed that brings tokens from another. */
export interface TokenWriter {
  open(responseId: string, epoch: number): boolean;
  append(responseId: string, epoch: number, entry: TokenEntry): boolean;
  end(responseId: string, epoch: number): void;
}

/** Counts of attempts, UTF-8 bytes, responses with readers, readers, and readers who wait. */
export type TokenLogStats = Record<'running' | 'ended' | 'bytes' | 'watched' | 'readers' | 'waiting', number>;

/** An attempt here; `cancelExpiry` stops the timer that drops it some time after its end. */
interface Attempt extends LoggedAttempt {
  cancelExpiry?: () => void;
}

export class TokenLog implements TokenWriter {
  readonly #options: TokenLogOptions;
  /** Both maps are in order of age. A response is in one of them. */
  readonly #running = new Map<string, Attempt>();
  readonly #ended = new Map<string, Attempt>();
  readonly #topics = new Topics();
  #bytes = 0;
  #closed = false;

  constructor(options: Partial<TokenLogOptions> = {}) {
    this.#options = { ...defaults, ...options };
  }

  /**
   * Starts the log of an attempt, and drops that of an older one. False when this epoch or a newer one was here already:
   * the caller has been replaced. Whoever opens a log must end it, whatever the outcome, or it stays until the next epoch.
   */
  open(responseId: string, epoch: number): boolean {
    const present = this.find(responseId);
    if (this.#closed || (present && present.epoch >= epoch)) return false;
    this.#drop(responseId);
    const transcript = new AttemptText(this.#options.maxResponseBytes);
    this.#running.set(responseId, { epoch, transcript, ended: false });
    this.invalidate(responseId);
    return true;
  }

  /** Adds to a running attempt, in constant time. False, and nothing happens, when that attempt is not open or full. */
  append(responseId: string, epoch: number, entry: TokenEntry): boolean {
    const attempt = this.#running.get(responseId);
    if (attempt?.epoch !== epoch) return false;
    const before = attempt.transcript.bytes;
    if (!attempt.transcript.append(entry)) return false;
    this.#bytes += attempt.transcript.bytes - before;
    if (this.#bytes > this.#options.maxTotalBytes) this.#makeRoom();
    this.#topics.get(responseId)?.wake();
    return true;
  }

  /** Ends an attempt, after its outcome is committed, and sends the readers to the row, which alone says what it is. */
  end(responseId: string, epoch: number): void {
    const attempt = this.#running.get(responseId);
    if (attempt?.epoch !== epoch) return;
    this.#running.delete(responseId);
    this.#ended.set(responseId, attempt);
    attempt.ended = true;
    attempt.cancelExpiry = this.#options.clock.after(this.#options.keepEndedMs, () => this.#drop(responseId));
    this.invalidate(responseId);
  }

  /** Drops an attempt that has not ended here and that nobody reads: a copy of what another process generates. */
  forget(responseId: string, epoch: number): void {
    if (this.#running.get(responseId)?.epoch === epoch && !this.#topics.get(responseId)) this.#drop(responseId);
  }

  /** Sends the readers of a response to its row: something changed there. */
  invalidate(responseId: string): void {
    this.#topics.get(responseId)?.invalidate();
  }

  /** The same for all responses: changes may have been missed. */
  invalidateAll(): void {
    for (const topic of this.#topics.all()) topic.invalidate();
  }

  /** A reader of a response, known to the log or not. It must be closed. Throws when the log is closed. */
  attach(responseId: string): LogReader {
    if (this.#closed) throw new Error('The token log is closed');
    const topic = this.#topics.enter(responseId);
    if (topic.readers === 1) this.#options.followers?.follow(responseId);
    return new LogReader({
      topic,
      find: () => this.find(responseId),
      leave: () => {
        this.#topics.leave(responseId, topic);
        if (topic.readers === 0) this.#options.followers?.unfollow(responseId);
      },
    });
  }

  /** Drops everything, refuses writers, and wakes the readers, who find the log closed. */
  close(): void {
    this.#closed = true;
    for (const responseId of [...this.#running.keys(), ...this.#ended.keys()]) this.#drop(responseId);
    this.invalidateAll();
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** What is in memory at this moment: for metrics, and for tests that look for leaks. */
  stats(): TokenLogStats {
    const topics = [...this.#topics.all()];
    const readers = topics.reduce((sum, topic) => sum + topic.readers, 0);
    const waiting = topics.reduce((sum, topic) => sum + topic.waiting, 0);
    const watched = topics.length;
    return { running: this.#running.size, ended: this.#ended.size, bytes: this.#bytes, watched, readers, waiting };
  }

  /** What is here of a response: for a feed that carries it to other processes, too. */
  find(responseId: string): Attempt | undefined {
    return this.#running.get(responseId) ?? this.#ended.get(responseId);
  }

  #drop(responseId: string): void {
    const attempt = this.find(responseId);
    if (!attempt) return;
    attempt.cancelExpiry?.();
    this.#bytes -= attempt.transcript.bytes;
    this.#running.delete(responseId);
    this.#ended.delete(responseId);
  }

  /** Ended logs go first, as the row has their text. A running one is emptied and stays, to keep older epochs out. */
  #makeRoom(): void {
    for (const responseId of this.#ended.keys()) {
      if (this.#bytes <= this.#options.maxTotalBytes) return;
      this.#drop(responseId);
    }
    for (const { transcript } of this.#running.values()) {
      if (this.#bytes <= this.#options.maxTotalBytes) return;
      this.#bytes -= transcript.bytes;
      transcript.clear();
    }
  }
}
