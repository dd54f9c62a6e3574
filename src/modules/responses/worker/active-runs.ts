/** The runs of one worker that have not ended, each with its own abort. */

import { systemClock } from '../../../async/clock.js';
import type { TokenEntry } from '../../tokens/log/attempt-text.js';
import { PublishingFence } from '../generation/publishing-fence.js';
import type { Run } from '../protocol/run.js';

/** The reason of an abort that somebody asked for: what was said so far is then stored. */
export class StopRequest extends Error {}

export interface ActiveRun {
  /** Changes when the run goes on under a new epoch. */
  run: Run;
  /** Aborts when the run is lost or the process stops: nothing more is published or stored then. */
  readonly abort: AbortController;
  /** What the run says goes through it. */
  readonly fence: PublishingFence<TokenEntry>;
  /**
   * True while the statement that moves the epoch is on its way. It finds out by itself whether the run was lost; that the
   * old epoch's lease is not renewed says nothing meanwhile.
   */
  isRestarting: boolean;
}

export class ActiveRuns {
  readonly #entries = new Map<ActiveRun, Promise<void>>();
  readonly #safeLeaseMs: number;
  /** What somebody asked to stop while runs were being brought; null while none are. */
  #stopsMeanwhile: Set<string> | null = null;

  /** `safeLeaseMs` after it was last asked for, nobody can be certain any more that a run is still this worker's. */
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
   * Runs a task that takes runs in the database and then adds them. Word of a stop may overtake the answer of the statement
   * that took the run; it is kept until the task ends, and reaches the run when that is added.
   */
  async bring(task: () => Promise<void>): Promise<void> {
    this.#stopsMeanwhile = new Set();
    try {
      await task();
    } finally {
      this.#stopsMeanwhile = null;
    }
  }

  /**
   * Starts `body`, which must not reject, and keeps the entry until it ends; resolves when the entry is out again. The run
   * was asked for at `askedMs` of this process's monotonic clock.
   */
  add({ run, askedMs }: { run: Run; askedMs: number }, body: (entry: ActiveRun) => Promise<void>): Promise<void> {
    const fence = new PublishingFence<TokenEntry>({ clock: systemClock, safeLeaseMs: this.#safeLeaseMs });
    fence.confirm(askedMs);
    const entry = { run, abort: new AbortController(), fence, isRestarting: false };
    const ended = Promise.resolve()
      .then(() => body(entry))
      .finally(() => this.#entries.delete(entry));
    this.#entries.set(entry, ended);
    if (this.#stopsMeanwhile?.has(run.messageId)) this.stopByRequest(run.messageId);
    return ended;
  }

  /** Cuts the call of a run that somebody asked to stop, now or when it is brought; it ends by itself then. */
  stopByRequest(messageId: string): void {
    this.#stopsMeanwhile?.add(messageId);
    for (const entry of this.#entries.keys()) {
      if (entry.run.messageId === messageId) entry.abort.abort(new StopRequest('somebody asked to stop the response'));
    }
  }

  /** Aborts what is left and gives it back. */
  abortAll(): Run[] {
    const entries = this.list();
    for (const entry of entries) entry.abort.abort(new Error('the process is stopping'));
    return entries.map((entry) => entry.run);
  }

  /** Resolves when all have ended, or after `limitMs`. */
  async settledWithin(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([Promise.allSettled(this.#entries.values()), limit]);
    clearTimeout(timer);
  }
}
