import { Cells, type Definition, type Sample } from './cells.js';

/** A total since the start of the process. */
export class Counter<Label extends string = never> {
  readonly type = 'counter';
  readonly name: string;
  readonly help: string;
  readonly #cells: Cells<{ value: number }>;

  constructor(definition: Definition<Label>) {
    this.name = definition.name;
    this.help = definition.help;
    this.#cells = new Cells(definition, () => ({ value: 0 }));
  }

  /** Adds to the total of these values of the labels, in the order of the labels. */
  add(amount: number, ...values: readonly string[]): void {
    this.#cells.of(values).value += amount;
  }

  get samples(): Sample[] {
    return this.#cells.entries.map(({ labels, cell }) => ({ labels, value: cell.value }));
  }
}
