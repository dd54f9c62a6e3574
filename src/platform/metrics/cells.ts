/** The values of a metric by its labels. Whoever counts takes the values of labels from a fixed set, so there are few. */

export interface Definition<Label extends string> {
  name: string;
  help: string;
  labels?: readonly Label[];
  /** Values of the labels that exist from the start, so that the first increase is seen as one. */
  known?: readonly (readonly string[])[];
}

/** A value as Prometheus reads it. */
export interface Sample {
  /** If it is not that of the metric. */
  metricName?: string;
  labels: Record<string, string>;
  value: number;
}

/** The cells whose first labels have the values that lead here. */
interface Branch<Cell> {
  branches: Map<string, Branch<Cell>>;
  cell: Cell | undefined;
}

export class Cells<Cell> {
  readonly #names: readonly string[];
  readonly #create: () => Cell;
  /** A tree, because one key made of all values would cost more than everything else. */
  readonly #root: Branch<Cell> = { branches: new Map(), cell: undefined };
  readonly #entries: { labels: Record<string, string>; cell: Cell }[] = [];

  constructor({ labels = [], known = [] }: Definition<string>, create: () => Cell) {
    this.#names = labels;
    this.#create = create;
    for (const values of labels.length === 0 ? [[]] : known) this.of(values);
  }

  get entries(): readonly { labels: Record<string, string>; cell: Cell }[] {
    return this.#entries;
  }

  of(values: readonly string[]): Cell {
    let branch = this.#root;
    for (const value of values) {
      const found = branch.branches.get(value);
      const next = found ?? { branches: new Map(), cell: undefined };
      if (!found) branch.branches.set(value, next);
      branch = next;
    }
    branch.cell ??= this.#add(values);
    return branch.cell;
  }

  #add(values: readonly string[]): Cell {
    const labels = Object.fromEntries(this.#names.map((name, index) => [name, values[index] ?? '']));
    const cell = this.#create();
    this.#entries.push({ labels, cell });
    return cell;
  }
}
