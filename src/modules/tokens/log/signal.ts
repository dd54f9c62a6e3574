/** A way to be woken up: takes what to call then, gives what takes it back. */
export type WakeSource = (wake: () => void) => () => void;

/** One who sleeps until the first of several things happens. */
export class Signal {
  #wake: (() => void) | undefined;

  /** Resolves at the first call of any source. Every other is taken back then, so that nothing accumulates. */
  sleep(...sources: WakeSource[]): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        for (const cancel of cancels) cancel();
        this.#wake = undefined;
        resolve();
      };
      this.#wake = wake;
      const cancels = sources.map((subscribe) => subscribe(wake));
    });
  }

  /** Ends the present sleep. */
  wake(): void {
    this.#wake?.();
  }
}
