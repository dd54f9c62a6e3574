const maxDocuments = 300;
const maxLength = 16_384;

/**
 * A cache for recent documents by their text. Long documents are not kept, and the oldest is evicted first, so that
 * callers cannot fill the memory with ever new ones.
 */
export class RecentDocuments<Value> {
  readonly #values = new Map<string, Value>();

  get(text: string): Value | undefined {
    return this.#values.get(text);
  }

  set(text: string, value: Value): void {
    if (text.length > maxLength) return;
    const [oldest] = this.#values.keys();
    if (this.#values.size >= maxDocuments && oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(text, value);
  }
}
