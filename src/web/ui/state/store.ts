import { Signal } from './signal.js';

/** An observable state that fits React's `useSyncExternalStore`. */
export abstract class Store<State extends object> {
  #state: State;
  readonly #changes = new Signal();

  protected constructor(initial: State) {
    this.#state = initial;
  }

  readonly subscribe = this.#changes.on;

  readonly getState = (): State => this.#state;

  protected set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    this.#changes.emit();
  }
}
