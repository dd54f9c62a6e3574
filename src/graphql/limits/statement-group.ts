/**
 * A group of statements that begin together. Prisma batches lookups by unique key that begin in the same tick, so
 * loading fifty items one by one takes one connection and needs one turn.
 */
export class StatementGroup {
  #begin: () => void = () => undefined;
  readonly #begun = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });
  readonly #results: Promise<unknown>[] = [];

  /** Calls `onSent` once no statement can join any more. */
  constructor(private readonly onSent: () => unknown) {}

  /** Adds a statement, which begins with the group; resolves to its result. */
  add<T>(statement: () => PromiseLike<T>): Promise<T> {
    const result = this.#begun.then(statement);
    this.#results.push(result);
    return result;
  }

  /** Begins all statements. Resolves when all have settled. */
  run(): Promise<void> {
    this.#begin();
    return new Promise((resolve) => {
      process.nextTick(() => {
        this.onSent();
        void Promise.allSettled(this.#results).then(() => resolve());
      });
    });
  }
}
