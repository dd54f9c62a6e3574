import type { Topic } from '../../../async/topic.js';
import type { AttemptText, Offsets, ReadOptions, TokenChunk } from './attempt-text.js';

/** How far a reader is: an attempt, and what it has of it. */
export interface ReadPosition extends Offsets {
  epoch: number;
}

/** What the log holds of a response. */
export interface LoggedAttempt {
  readonly epoch: number;
  readonly transcript: AttemptText;
  ended: boolean;
}

interface LogReaderParts {
  topic: Topic;
  find: () => LoggedAttempt | undefined;
  leave: () => void;
}

/**
 * One reader's view of one response in the token log. It holds no text and no position, and no row of the database:
 * its user keeps those, asks for the next chunk, and waits when there is none.
 */
export class LogReader {
  readonly #parts: LogReaderParts;
  #closed = false;

  constructor(parts: LogReaderParts) {
    this.#parts = parts;
  }

  /** Another number than at the last look at the response's row means: look again. */
  get revision(): number {
    return this.#parts.topic.revision;
  }

  /** The next piece of the position's attempt; undefined when there is none (yet), or this log has another attempt. */
  next(position: ReadPosition, options: ReadOptions): TokenChunk | undefined {
    const { text, thinking } = position;
    return this.#attemptOf(position)?.transcript.next({ text, thinking }, options);
  }

  /** True when the position's attempt has ended and the reader has all of its text: no need to load the stored text. */
  hasWholeText(position: ReadPosition): boolean {
    const attempt = this.#attemptOf(position);
    return attempt?.ended === true && attempt.transcript.isWhole(position.text);
  }

  /** Calls `wake` once, at the next entry or call for a look, unless the returned function is called first. */
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
