/**
 * Keeps the log readable during an outage, in which something fails again and again: says the first failure at once, and
 * then at most one every ten seconds, with how many there were since.
 */
const quietMs = 10_000;

export class RepeatedFailure {
  #quietUntilMs = Number.NEGATIVE_INFINITY;
  #unsaid = 0;

  /** Counts a failure, and calls `say` with those since it was called last, unless that was less than ten seconds ago. */
  report(err: unknown, say: (fields: { err: unknown; failures: number }) => void): void {
    this.#unsaid += 1;
    if (performance.now() < this.#quietUntilMs) return;
    this.#quietUntilMs = performance.now() + quietMs;
    const failures = this.#unsaid;
    this.#unsaid = 0;
    say({ err, failures });
  }
}
