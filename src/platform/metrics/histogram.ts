import { Cells, type Definition, type Sample } from './cells.js';

interface Distribution {
  /** How many values are in each bucket and in none of those before; the last one has no end. */
  counts: number[];
  sum: number;
}

/** A distribution of values, as counts up to bounds. */
export class Histogram<Label extends string = never> {
  readonly type = 'histogram';
  readonly name: string;
  readonly help: string;
  readonly #bounds: readonly number[];
  readonly #cells: Cells<Distribution>;

  constructor({ bounds, ...definition }: Definition<Label> & { bounds: readonly number[] }) {
    this.name = definition.name;
    this.help = definition.help;
    this.#bounds = bounds;
    this.#cells = new Cells(definition, () => ({ counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 }));
  }

  observe(value: number, ...values: readonly string[]): void {
    const cell = this.#cells.of(values);
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? 0)) bucket += 1;
    cell.counts[bucket] = (cell.counts[bucket] ?? 0) + 1;
    cell.sum += value;
  }

  get samples(): Sample[] {
    return this.#cells.entries.flatMap(({ labels, cell }) => this.#samplesOf(labels, cell));
  }

  #samplesOf(labels: Record<string, string>, { counts, sum }: Distribution): Sample[] {
    let total = 0;
    const buckets = counts.map((count, index) => {
      total += count;
      const le = String(this.#bounds[index] ?? '+Inf');
      return { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: total },
    ];
  }
}
