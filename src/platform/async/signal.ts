/** Subscribes a callback, and returns the function that unsubscribes it. */
export type WakeSource = (wake: () => void) => () => void;

/** Waits for the first of several sources. */
export class Signal {
  #wake: (() => void) | undefined;

  /** Resolves at the first call of any source. All subscriptions are cancelled then, so that none accumulate. */
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

  /** Ends the present wait. */
  wake(): void {
    this.#wake?.();
  }
}
