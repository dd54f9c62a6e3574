/**
 * Room for large responses, shared by all that are being built or sent in the process. Responses wait for room in turns
 * by user, for a limited time. Room is taken once and never enlarged, so nobody waits for room while holding some.
 */
import type { Context } from '../../builder.js';
import { QueueFullError, type Release } from '../../platform/fairness/fair-semaphore.js';
import { limitExceeded } from './limit-exceeded.js';

/** Whose response it is. The signal is read only when there is room to release, because to make one costs as much as the rest. */
export type Recipient = Pick<Context, 'answers' | 'viewer' | 'signal' | 'turn'>;

export class AnswerRoom {
  readonly #recipient: Recipient;
  readonly #waitMs: number;
  #taking: Promise<void> | null = null;
  #release: Release | null = null;

  /** `waitMs` is the maximum time to wait for room. */
  constructor(recipient: Recipient, waitMs: number) {
    this.#recipient = recipient;
    this.#waitMs = waitMs;
  }

  get isHeld(): boolean {
    return this.#release !== null;
  }

  /** Waits for room for `bytes`. Throws a `GraphQLError` if there is none in time. */
  take(bytes: number): Promise<void> {
    this.#taking ??= this.#take(bytes);
    return this.#taking;
  }

  /** Releases all room except `bytes`. */
  keep(bytes: number): void {
    this.#release?.(bytes);
  }

  readonly release = (): void => {
    if (this.#taking === null) return;
    this.#recipient.signal.removeEventListener('abort', this.release);
    this.#release?.();
    this.#release = null;
    this.#taking = null;
  };

  async #take(bytes: number): Promise<void> {
    const { answers, viewer, signal } = this.#recipient;
    this.#release = answers.tryAcquire(viewer, bytes) ?? (await this.#wait(bytes));
    // The response was sent, or its caller left.
    if (signal.aborted) this.release();
    else signal.addEventListener('abort', this.release, { once: true });
  }

  async #wait(bytes: number): Promise<Release> {
    const { answers, viewer, signal, turn } = this.#recipient;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#waitMs)]);
    try {
      return await turn.suspend(() => answers.acquire(viewer, { amount: bytes, signal: limit }));
    } catch (error) {
      this.#taking = null;
      if (error instanceof QueueFullError || error === limit.reason) throw limitExceeded('answerMemory', this.#waitMs);
      throw error;
    }
  }
}
