/**
 * Copies of responses in this process's token log, which a feed fills from the process that generates them, for as long as
 * somebody here follows them. The log decides what is copied: it refuses an attempt that this process generates itself or
 * already had, and nothing is added to that one.
 */
import type { TokenEntry } from './log/attempt-text.js';
import type { TokenLog } from './log/token-log.js';

/** One response. Each feed adds its own progress. */
export class Replica {
  readonly responseId: string;
  readonly #log: TokenLog;
  /** The newest attempt that is known here. */
  #epoch = -1;
  #isLocal = false;

  constructor(responseId: string, log: TokenLog) {
    this.responseId = responseId;
    this.#log = log;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Whether the log already has the attempt, from this process or from before: then nothing may be added to it. */
  get isLocal(): boolean {
    return this.#isLocal;
  }

  /** Turns to a newer attempt. */
  begin(epoch: number): void {
    this.#epoch = epoch;
    this.#isLocal = !this.#log.open(this.responseId, epoch);
  }

  append(entry: TokenEntry): void {
    this.#log.append(this.responseId, this.#epoch, entry);
  }

  end(): void {
    this.#log.end(this.responseId, this.#epoch);
  }

  /** Drops the copy, because nobody here follows the response any more. */
  forget(): void {
    if (!this.#isLocal) this.#log.forget(this.responseId, this.#epoch);
  }
}

/** The responses that somebody here follows. */
export class Replicas<Copy extends Replica> {
  readonly #create: (responseId: string) => Copy;
  readonly #byResponse = new Map<string, Copy>();

  constructor(create: (responseId: string) => Copy) {
    this.#create = create;
  }

  get size(): number {
    return this.#byResponse.size;
  }

  /** Called when the first viewer joins. */
  follow(responseId: string): Copy {
    const copy = this.#create(responseId);
    this.#byResponse.set(responseId, copy);
    return copy;
  }

  /** Called when the last viewer leaves. */
  unfollow(responseId: string): void {
    const copy = this.#byResponse.get(responseId);
    this.#byResponse.delete(responseId);
    copy?.forget();
  }

  get(responseId: string): Copy | undefined {
    return this.#byResponse.get(responseId);
  }

  /** Whether the copy is still followed. Viewers who left and returned follow another one. */
  has(copy: Copy): boolean {
    return this.#byResponse.get(copy.responseId) === copy;
  }

  all(): Copy[] {
    return [...this.#byResponse.values()];
  }
}
