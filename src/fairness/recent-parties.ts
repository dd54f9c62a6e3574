/** Tells when anybody else was last active, by keeping only the two latest parties. */
export class RecentParties<Key> {
  #latest: { key: Key; atMs: number } | undefined;
  /** The latest party other than `#latest`. */
  #before: { key: Key; atMs: number } | undefined;

  note(key: Key, atMs: number): void {
    if (this.#latest && this.#latest.key !== key) this.#before = this.#latest;
    this.#latest = { key, atMs };
  }

  /** When anybody else was last active; `-Infinity` if never. */
  lastOfOthersMs(key: Key): number {
    const other = this.#latest?.key === key ? this.#before : this.#latest;
    return other?.atMs ?? Number.NEGATIVE_INFINITY;
  }
}
