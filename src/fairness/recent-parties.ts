/** Tells when somebody other than oneself was there last, of however many, by keeping two of them. */
export class RecentParties<Key> {
  #latest: { key: Key; atMs: number } | undefined;
  /** The latest of those who are not `#latest`. */
  #before: { key: Key; atMs: number } | undefined;

  note(key: Key, atMs: number): void {
    if (this.#latest && this.#latest.key !== key) this.#before = this.#latest;
    this.#latest = { key, atMs };
  }

  /** When anybody else was there; long ago where nobody was. */
  lastOfOthersMs(key: Key): number {
    const other = this.#latest?.key === key ? this.#before : this.#latest;
    return other?.atMs ?? Number.NEGATIVE_INFINITY;
  }
}
