/** An observable state that fits React's `useSyncExternalStore`. */
export abstract class Store<State extends object> {
  #state: State;
  readonly #listeners = new Set<() => void>();

  protected constructor(initial: State) {
    this.#state = initial;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): State => this.#state;

  protected set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
