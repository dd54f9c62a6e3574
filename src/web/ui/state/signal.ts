/** Something that happens in the page, for those who listen. */
export class Signal<News = void> {
  readonly #listeners = new Set<(news: News) => void>();

  /** Calls back each time it happens. Returns a function that ends that. */
  readonly on = (listener: (news: News) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Those who begin to listen meanwhile hear of the next time. */
  emit(news: News): void {
    for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) listener(news);
  }
}
