/**
 * Room for large responses, shared by all that are being built or sent in the process. Responses wait for room in turns
 * by user, for a limited time. Room is taken once and never enlarged, so nobody waits for room while holding some.
 */
import type { Context } from '../../builder.js';
import { QueueFullError, type Release } from '../../fairness/fair-semaphore.js';
import { limitExceeded } from './limit-exceeded.js';

export type AnswerRoomOptions = Pick<Context, 'answers' | 'viewer' | 'signal' | 'turn'> & {
  /** Maximum time to wait for room. */
  waitMs: number;
};

export class AnswerRoom {
  readonly #options: AnswerRoomOptions;
  #taking: Promise<void> | null = null;
  #release: Release | null = null;

  constructor(options: AnswerRoomOptions) {
    this.#options = options;
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

  readonly giveBack = (): void => {
    this.#options.signal.removeEventListener('abort', this.giveBack);
    this.#release?.();
    this.#release = null;
    this.#taking = null;
  };

  async #take(bytes: number): Promise<void> {
    const { answers, viewer, signal } = this.#options;
    this.#release = answers.tryAcquire(viewer, bytes) ?? (await this.#wait(bytes));
    // The response was sent, or its caller left.
    if (signal.aborted) this.giveBack();
    else signal.addEventListener('abort', this.giveBack, { once: true });
  }

  async #wait(bytes: number): Promise<Release> {
    const { answers, viewer, signal, turn, waitMs } = this.#options;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    try {
      return await turn.suspend(() => answers.acquire(viewer, { amount: bytes, signal: limit }));
    } catch (error) {
      this.#taking = null;
      if (error instanceof QueueFullError || error === limit.reason) throw limitExceeded('answerMemory', waitMs);
      throw error;
    }
  }
}
