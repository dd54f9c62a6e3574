/**
 * The room of one answer among all large answers of the process: those that are being made, and those that their callers have
 * not taken yet. Whoever finds none waits in turns with the other users, for a bounded time. Room is taken once and never
 * enlarged, so nobody waits for room while holding some.
 */
import type { Context } from '../../builder.js';
import { QueueFullError, type Release } from '../../fairness/fair-semaphore.js';
import { limitExceeded } from './limit-exceeded.js';

export type AnswerRoomOptions = Pick<Context, 'answers' | 'viewer' | 'signal' | 'turn'> & {
  /** How long somebody waits for room at most. */
  waitMs: number;
};

export class AnswerRoom {
  #taking: Promise<void> | null = null;
  #release: Release | null = null;

  constructor(private readonly options: AnswerRoomOptions) {}

  get isHeld(): boolean {
    return this.#release !== null;
  }

  /** Waits for room for so many bytes. Throws a `GraphQLError` where there is none in time. */
  take(bytes: number): Promise<void> {
    this.#taking ??= this.#take(bytes);
    return this.#taking;
  }

  /** Gives back all but so many bytes. */
  keep(bytes: number): void {
    this.#release?.(bytes);
  }

  readonly giveBack = (): void => {
    this.options.signal.removeEventListener('abort', this.giveBack);
    this.#release?.();
    this.#release = null;
    this.#taking = null;
  };

  async #take(bytes: number): Promise<void> {
    const { answers, viewer, signal } = this.options;
    this.#release = answers.tryAcquire(viewer, bytes) ?? (await this.#wait(bytes));
    // The answer is taken, or its caller is gone.
    if (signal.aborted) this.giveBack();
    else signal.addEventListener('abort', this.giveBack, { once: true });
  }

  async #wait(bytes: number): Promise<Release> {
    const { answers, viewer, signal, turn, waitMs } = this.options;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    try {
      return await turn.lend(() => answers.acquire(viewer, { amount: bytes, signal: limit }));
    } catch (error) {
      this.#taking = null;
      if (error instanceof QueueFullError || error === limit.reason) throw limitExceeded('answerMemory', waitMs);
      throw error;
    }
  }
}
