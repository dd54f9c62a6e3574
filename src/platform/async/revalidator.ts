/**
 * Schedules the reads of a state that others change: the state is read again when its topic is invalidated, when it is
 * due, and when it is stale although reads were postponed. The caller subscribes to the topic before the first read, so
 * no change in between is lost. Failing reads are repeated, except for the first, and throw only after a long time.
 */
import type { Clock } from './clock.js';
import type { Topic } from './topic.js';

/** Subscribes a callback, and returns the function that unsubscribes it. */
export type WakeSource = (wake: () => void) => () => void;

export interface RevalidatorOptions {
  topic: Pick<Topic, 'revision' | 'wait'>;
  clock: Clock;
  /** Time without a signal after which the state is due. */
  recheckMs: number;
  /** Time after which the state is stale: no read is postponed for longer. */
  staleMs: number;
  /** How long failing reads are repeated, except for the first. */
  patienceMs: number;
  /** Whether the process is stopping: then nothing waits. */
  isStopping: () => boolean;
}

const longestRetryMs = 2000;

export class Revalidator {
  readonly #options: RevalidatorOptions;
  /** Ends the present wait. */
  #wake: (() => void) | undefined;
  /** The topic's revision before the last read. */
  #revision: number | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #dueAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: RevalidatorOptions) {
    this.#options = options;
  }

  /** Whether to read now. Always true after the close, when `read` returns null. */
  get isDue(): boolean {
    return this.#options.topic.revision !== this.#revision || this.isOverdue;
  }

  /** The same without regard to the topic: for a state that invalidations cannot change any more. */
  get isOverdue(): boolean {
    return this.#closed || this.#options.clock.now() >= this.#dueAt;
  }

  /** Whether it is closed or the process is stopping. */
  get isOver(): boolean {
    return this.#closed || this.#options.isStopping();
  }

  /** Reads the state; null after the close. Throws the error of a first read, or of one that was repeated in vain. */
  async read<State>(read: () => Promise<State>): Promise<State | null> {
    const { topic, clock, recheckMs, patienceMs } = this.#options;
    const giveUpAt = clock.now() + (this.#revision === undefined ? 0 : patienceMs);
    while (!this.#closed) {
      const { revision } = topic;
      try {
        this.#readAt = clock.now();
        const state = await read();
        this.#revision = revision;
        this.postpone();
        return state;
      } catch (error) {
        if (clock.now() >= giveUpAt) throw error;
      }
      await this.#sleepUntil(clock.now() + Math.min(recheckMs, longestRetryMs));
      if (this.isOver) return null;
    }
    return null;
  }

  /** Postpones the next read, because news arrived in another way; but never beyond the time when the state is stale. */
  postpone(): void {
    const { clock, recheckMs, staleMs } = this.#options;
    this.#dueAt = Math.min(clock.now() + recheckMs, this.#readAt + staleMs);
  }

  /** Waits until the topic wakes its waiters, the next read is due, or it is closed. */
  async wait(): Promise<void> {
    const { topic } = this.#options;
    if (!this.isDue) await this.sleep(this.#timer(this.#dueAt), (wake) => topic.wait(wake));
  }

  /** Waits until the last read is at least `gapMs` ago. */
  rest(gapMs: number): Promise<void> {
    return this.#sleepUntil(this.#readAt + gapMs);
  }

  /** Waits for the first of the sources, or for the close. All subscriptions are cancelled then, so that none accumulate. */
  async sleep(...sources: WakeSource[]): Promise<void> {
    if (this.isOver) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        for (const cancel of cancels) cancel();
        this.#wake = undefined;
        resolve();
      };
      this.#wake = wake;
      const cancels = sources.map((subscribe) => subscribe(wake));
    });
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** Wakes with the topic too, because that is how a stopping process ends all waits. */
  async #sleepUntil(moment: number): Promise<void> {
    const { topic, clock } = this.#options;
    while (!this.isOver && clock.now() < moment) await this.sleep(this.#timer(moment), (wake) => topic.wait(wake));
  }

  #timer(moment: number): WakeSource {
    const { clock } = this.#options;
    return (wake) => clock.after(moment - clock.now(), wake);
  }
}
