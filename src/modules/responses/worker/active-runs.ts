/** The active runs of a worker. Each can be stopped, which ends the call of its model, or aborted as a whole. */

import { systemClock } from '../../../platform/async/clock.js';
import { withinMs } from '../../../platform/async/time-limit.js';
import type { TokenEntry } from '../../tokens/log/attempt-text.js';
import { PublishingFence } from '../generation/publishing-fence.js';
import type { ClaimedResponse } from '../protocol/claimed-response.js';

/** The reason why the call of a model ends: the text so far is stored. */
export class StopRequest extends Error {}

export interface ActiveRun {
  /** Changes when the run goes on under a new epoch. */
  run: ClaimedResponse;
  /** Aborts when the run is lost or the process stops: nothing more is published or stored. */
  readonly abort: AbortController;
  /** Aborts with it, and with a `StopRequest`: nothing more is generated. */
  readonly generation: AbortController;
  /** All output of the run passes through it. */
  readonly fence: PublishingFence<TokenEntry>;
  /**
   * Whether the statement that changes the epoch is in progress. It determines by itself whether the run was lost; that
   * the lease of the old epoch is not renewed means nothing meanwhile.
   */
  isRestarting: boolean;
}

/** A run that publishes through the fence. */
export function activeRun(run: ClaimedResponse, fence: PublishingFence<TokenEntry>): ActiveRun {
  const [abort, generation] = [new AbortController(), new AbortController()];
  abort.signal.addEventListener('abort', () => generation.abort(abort.signal.reason), { once: true });
  return { run, abort, generation, fence, isRestarting: false };
}

export class ActiveRuns {
  readonly #entries = new Map<ActiveRun, Promise<void>>();
  readonly #safeLeaseMs: number;
  /** Responses to stop that were named while runs were being collected, for each of those tasks. */
  readonly #pendingStops = new Set<Set<string>>();
  /** The tasks themselves. */
  readonly #tasks = new Set<Promise<unknown>>();

  /** `safeLeaseMs` after the last confirmed heartbeat, it is no longer certain that a run is this worker's. */
  constructor(safeLeaseMs: number) {
    this.#safeLeaseMs = safeLeaseMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  list(): ActiveRun[] {
    return [...this.#entries.keys()];
  }

  /**
   * Runs a task that claims runs in the database and adds them. A stop notification may arrive before the response of
   * that statement; it is kept until the task ends, and reaches the run when it is added.
   */
  async collect<T>(task: () => Promise<T>): Promise<T> {
    const stops = new Set<string>();
    this.#pendingStops.add(stops);
    const running = task();
    this.#tasks.add(running);
    try {
      return await running;
    } finally {
      this.#pendingStops.delete(stops);
      this.#tasks.delete(running);
    }
  }

  /**
   * Starts `body`, which must not reject, and keeps the entry until it ends. The run was requested at `askedMs` of the
   * monotonic clock.
   */
  add(
    { run, askedMs }: { run: ClaimedResponse; askedMs: number },
    body: (entry: ActiveRun) => Promise<void>,
  ): Promise<void> {
    const fence = new PublishingFence<TokenEntry>({ clock: systemClock, safeLeaseMs: this.#safeLeaseMs });
    fence.confirm(askedMs);
    const entry = activeRun(run, fence);
    const ended = Promise.resolve()
      .then(() => body(entry))
      .finally(() => this.#entries.delete(entry));
    this.#entries.set(entry, ended);
    if ([...this.#pendingStops].some((stops) => stops.has(run.messageId))) this.stopByRequest(run.messageId);
    return ended;
  }

  /** Cancels the model call of a run on request, now or when it is added; the run then ends by itself. */
  stopByRequest(messageId: string): void {
    for (const stops of this.#pendingStops) stops.add(messageId);
    for (const entry of this.#entries.keys()) {
      if (entry.run.messageId === messageId)
        entry.generation.abort(new StopRequest('somebody asked to stop the response'));
    }
  }

  /** Aborts the remaining runs and returns them. */
  abortAll(): ClaimedResponse[] {
    const entries = this.list();
    for (const entry of entries) entry.abort.abort(new Error('the process is stopping'));
    return entries.map((entry) => entry.run);
  }

  /** Resolves when all have ended, with those that a task is about to add, or after `limitMs`. */
  async settledWithin(limitMs: number): Promise<void> {
    await withinMs(limitMs, this.#settled());
  }

  async #settled(): Promise<void> {
    while (this.#entries.size + this.#tasks.size > 0)
      await Promise.allSettled([...this.#entries.values(), ...this.#tasks]);
  }
}
