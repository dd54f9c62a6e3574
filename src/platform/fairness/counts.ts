/** Numbers by key. A key whose number is zero takes no memory. */
export class Counts<Key> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: Key, difference: number): void {
    const count = this.of(key) + difference;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}
