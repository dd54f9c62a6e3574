/**
 * Statements that begin together. Prisma joins searches by a unique key that differ in nothing but its value, where they begin in
 * the same moment; so a list of fifty items that are loaded one by one takes one connection, and needs one turn.
 */
export class StatementGroup {
  #begin: () => void = () => undefined;
  readonly #begun = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });
  readonly #results: Promise<unknown>[] = [];

  /** `onSent` is called when nothing can be added any more. */
  constructor(private readonly onSent: () => unknown) {}

  /** The result of the statement, which begins with the group. */
  add<T>(statement: () => PromiseLike<T>): Promise<T> {
    const result = this.#begun.then(statement);
    this.#results.push(result);
    return result;
  }

  /** Begins them. Resolves when all have settled. */
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
