/** Choices that a seed repeats (mulberry32). */
export class Chance {
  #state: number;

  constructor(readonly seed: number) {
    this.#state = seed | 0;
  }

  /** At least 0, and less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 to one less than `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** True in `share` of all cases. */
  is(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(values: readonly [T, ...T[]] | readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined && values.length === 0) throw new Error('there is nothing to pick from');
    return value as T;
  }

  /** Each of the values with the same chance. */
  subset<T>(values: readonly T[], share = 0.5): T[] {
    return values.filter(() => this.is(share));
  }

  /** One of the values, by weight. */
  weighted<T>(values: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * values.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of values) {
      left -= weight;
      if (left < 0) return value;
    }
    return (values.at(-1) as readonly [number, T])[1];
  }
}
