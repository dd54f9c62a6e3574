/**
 * Decides when a process that ended is started again: at once, then with growing delays. One that ends soon after each
 * of five starts is given up, because whatever ends it does not go away by itself.
 */

/** The delays after the first failures in a row. After one more the process is given up. */
const delaysMs = [0, 1_000, 2_000, 4_000];
/** A process that served for this long was healthy, and its earlier failures no longer count. */
const healthyMs = 10_000;

/** The delay of the next start; null if the process is given up. */
export type RestartDelay = number | null;

export class RestartPolicy {
  #failures = 0;

  /** `servedMs` is how long the process served; 0 if its start failed, however long that took. */
  afterEnd(servedMs: number): RestartDelay {
    if (servedMs > healthyMs) this.#failures = 0;
    this.#failures += 1;
    return delaysMs[this.#failures - 1] ?? null;
  }
}
