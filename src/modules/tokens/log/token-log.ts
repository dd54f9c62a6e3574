/**
 * The text so far of the responses that run or are followed on this process, for any number of readers. The log is best
 * effort: an entry may be incomplete or missing, and only the response's row decides the outcome. Writers are fenced by
 * the attempt's epoch, and a reader is only a position, so a slow or stalled one uses no memory.
 */

import { type Clock, systemClock } from '../../../platform/async/clock.js';
import { pause } from '../../../platform/async/time-limit.js';
import { Topics } from '../../../platform/async/topic.js';
import { AttemptText, type TokenEntry } from './attempt-text.js';
import { type LoggedAttempt, LogReader } from './log-reader.js';

export interface TokenLogOptions {
  /** Maximum UTF-8 bytes of text of one response, and separately of its thinking. */
  maxResponseBytes: number;
  /** Maximum UTF-8 bytes of all logs together. */
  maxTotalBytes: number;
  /** How long a log is kept after its end. */
  keepEndedMs: number;
  clock: Clock;
  /** Notified when a response gets its first reader and loses its last: a feed starts or stops delivering its tokens. */
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

/** The message that an attempt answers, for its sender. */
export interface AnsweredMessage {
  threadId: string;
  senderId: string;
  /** Monotonic time. */
  acceptedMs: number;
}

/** What a producer of tokens uses: the worker of this process, or a feed that delivers tokens of another. */
export interface TokenWriter {
  open(responseId: string, epoch: number): boolean;
  append(responseId: string, epoch: number, entry: TokenEntry): boolean;
  end(responseId: string, epoch: number): void;
}

/** The same for the worker of this process, which also knows the message and the outcome. */
export interface OutcomeWriter extends TokenWriter {
  open(responseId: string, epoch: number, message?: AnsweredMessage): boolean;
  /** Before the outcome is committed, after which `end` must follow. */
  settling(responseId: string, epoch: number): void;
  end(responseId: string, epoch: number, hasSucceeded?: boolean): void;
}

/** Counts of running and ended attempts, UTF-8 bytes, responses with readers, readers, and waiting readers. */
export type TokenLogStats = Record<'running' | 'ended' | 'bytes' | 'watched' | 'readers' | 'waiting', number>;

/** How long the sender of a message needs no row to see its answer begin: what access they have is checked every second anyway. */
const beginningMs = 1000;

/** How often the end looks whether a response is still awaited. */
const lookMs = 50;

/** `cancelExpiry` stops the timer that drops the attempt some time after its end. */
interface Attempt extends LoggedAttempt {
  /** Until the response's row, or who may see it, has changed. */
  message?: AnsweredMessage | undefined;
  isSettling?: boolean;
  cancelExpiry?: () => void;
}

export class TokenLog implements OutcomeWriter {
  readonly #options: TokenLogOptions;
  /** Both maps are ordered by age. A response is in at most one of them. */
  readonly #running = new Map<string, Attempt>();
  readonly #ended = new Map<string, Attempt>();
  readonly #topics = new Topics();
  readonly #readers = new Set<LogReader>();
  #bytes = 0;
  #closed = false;

  constructor(options: Partial<TokenLogOptions> = {}) {
    this.#options = { ...defaults, ...options };
  }

  /**
   * Starts the log of an attempt and drops that of an older one. False if the log already has this epoch or a newer one,
   * so the caller has been replaced. The caller must end the log, whatever the outcome, or it stays until the next epoch.
   */
  open(responseId: string, epoch: number, message?: AnsweredMessage): boolean {
    const present = this.find(responseId);
    if (this.#closed || (present && present.epoch >= epoch)) return false;
    this.#drop(responseId);
    this.invalidate(responseId);
    const transcript = new AttemptText(this.#options.maxResponseBytes);
    this.#running.set(responseId, { epoch, transcript, ended: false, message });
    return true;
  }

  /** Appends to a running attempt in constant time. False, without effect, if the attempt is not open or is full. */
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

  /**
   * Lets readers wait for `end`: the commit of the outcome also invalidates the response, and a moment later the outcome is
   * known here. Should that take long, they look at the row as they do when nothing happens.
   */
  settling(responseId: string, epoch: number): void {
    const attempt = this.#running.get(responseId);
    if (attempt?.epoch === epoch) attempt.isSettling = true;
  }

  /**
   * Ends an attempt after its outcome is committed. Readers are told of a success; for any other outcome they read the row.
   */
  end(responseId: string, epoch: number, hasSucceeded = false): void {
    const attempt = this.#running.get(responseId);
    if (attempt?.epoch !== epoch) return;
    attempt.hasSucceeded = hasSucceeded;
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

  /** Sends the readers of a response to its row, because it changed. */
  invalidate(responseId: string): void {
    const attempt = this.#running.get(responseId);
    if (attempt?.isSettling) return;
    if (attempt) attempt.message = undefined;
    this.#topics.get(responseId)?.invalidate();
  }

  /** The same for all responses, because changes may have been missed. */
  invalidateAll(): void {
    for (const attempt of this.#running.values()) attempt.message = undefined;
    for (const topic of this.#topics.all()) topic.invalidate();
  }

  /**
   * The thread and the attempt that answers a message of this sender, which was accepted here within the last second: its row says
   * what is known here, `running`. Null where it may say anything else.
   */
  beginningFor(senderId: string, responseId: string): { threadId: string; epoch: number } | null {
    const { message, isSettling, epoch } = this.#running.get(responseId) ?? {};
    if (!message || message.senderId !== senderId || isSettling || epoch === undefined) return null;
    return this.#options.clock.now() < message.acceptedMs + beginningMs ? { threadId: message.threadId, epoch } : null;
  }

  /** Lets whoever begins to follow a response of this thread read its row, because the thread was deleted or hidden here. */
  endAccess(threadId: string): void {
    for (const attempt of this.#running.values()) {
      if (attempt.message?.threadId === threadId) attempt.message = undefined;
    }
  }

  /** Opens a reader of a response, even of one unknown to the log. It must be closed. Throws if the log is closed. */
  attach(responseId: string): LogReader {
    if (this.#closed) throw new Error('The token log is closed');
    const topic = this.#topics.enter(responseId);
    if (topic.readers === 1) this.#options.followers?.follow(responseId);
    const reader: LogReader = new LogReader({
      topic,
      find: () => this.find(responseId),
      leave: () => {
        this.#readers.delete(reader);
        this.#topics.leave(responseId, topic);
        if (topic.readers === 0) this.#options.followers?.unfollow(responseId);
      },
    });
    this.#readers.add(reader);
    return reader;
  }

  /** Resolves when nobody reads a response that still runs, on whatever process, or when the signal is aborted. */
  async unawaited(over: AbortSignal): Promise<void> {
    while (!over.aborted && [...this.#readers].some(({ awaitsEnd }) => awaitsEnd)) await pause(lookMs, over);
  }

  /** Drops everything, refuses writers, and wakes the readers, which find the log closed. */
  close(): void {
    this.#closed = true;
    for (const responseId of [...this.#running.keys(), ...this.#ended.keys()]) this.#drop(responseId);
    this.invalidateAll();
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** What is in memory now, for metrics and for tests of leaks. */
  stats(): TokenLogStats {
    const topics = [...this.#topics.all()];
    const readers = topics.reduce((sum, topic) => sum + topic.readers, 0);
    const waiting = topics.reduce((sum, topic) => sum + topic.waiting, 0);
    const watched = topics.length;
    return { running: this.#running.size, ended: this.#ended.size, bytes: this.#bytes, watched, readers, waiting };
  }

  /** The attempt of a response in this log, also for a feed that sends it to other processes. */
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

  /** Drops ended logs first, whose text the row has. A running one is emptied but kept, to fence older epochs. */
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
