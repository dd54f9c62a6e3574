/** The ends of what was started, run in the reverse order. */
export class Lifetime {
  readonly #ends: (() => Promise<unknown>)[] = [];

  endsWith(end: () => Promise<unknown>): void {
    this.#ends.unshift(end);
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
  }
}
