import type { Topic } from '../../../platform/async/topic.js';
import type { AttemptText, Offsets, ReadOptions, TokenChunk } from './attempt-text.js';

/** How far a reader is: an attempt, and how much of it the reader has. */
export interface ReadPosition extends Offsets {
  epoch: number;
}

/** What the log holds of a response. */
export interface LoggedAttempt {
  readonly epoch: number;
  readonly transcript: AttemptText;
  ended: boolean;
  /** Whether its success is committed, as the worker of this process has said: no row need be read for it. */
  hasSucceeded?: boolean;
}

interface LogReaderParts {
  topic: Topic;
  find: () => LoggedAttempt | undefined;
  leave: () => void;
}

/**
 * One reader's view of one response in the token log. It holds no text, position or database row: its user keeps the
 * position, requests the next chunk, and waits if there is none.
 */
export class LogReader {
  /** Whether the response runs, here or elsewhere, as its row said last. */
  isRunning = false;
  readonly #parts: LogReaderParts;
  #closed = false;

  constructor(parts: LogReaderParts) {
    this.#parts = parts;
  }

  /** Whether the response runs and its end has not come here. A reader that lags behind a log that has ended awaits nothing. */
  get awaitsEnd(): boolean {
    return this.isRunning && this.#parts.find()?.ended !== true;
  }

  /** Changes when the response's row may have changed: whoever sees a new number reads the row again. */
  get revision(): number {
    return this.#parts.topic.revision;
  }

  /** The next chunk of the position's attempt; undefined if there is none (yet) or this log has another attempt. */
  next(position: ReadPosition, options: ReadOptions): TokenChunk | undefined {
    const { text, thinking } = position;
    return this.#attemptOf(position)?.transcript.next({ text, thinking }, options);
  }

  /** Whether the success of the position's attempt is known without its row. */
  hasSucceeded(position: ReadPosition): boolean {
    return this.#attemptOf(position)?.hasSucceeded === true;
  }

  /** Whether the attempt has ended and the reader has all of its text, so that the stored text need not be loaded. */
  hasWholeText(position: ReadPosition): boolean {
    const attempt = this.#attemptOf(position);
    return attempt?.ended === true && attempt.transcript.isWhole(position.text);
  }

  /** Calls `wake` once, at the next entry or invalidation, unless the returned function is called first. */
  wait(wake: () => void): () => void {
    return this.#parts.topic.wait(wake);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#parts.leave();
  }

  #attemptOf({ epoch }: ReadPosition): LoggedAttempt | undefined {
    const attempt = this.#parts.find();
    return attempt?.epoch === epoch ? attempt : undefined;
  }
}
