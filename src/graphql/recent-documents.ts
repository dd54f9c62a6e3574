const maxDocuments = 300;
const maxLength = 16_384;

/**
 * What became of the documents that were sent last, by their text. Long ones are not kept, and the oldest goes first, so
 * that whoever sends ever new ones cannot fill the memory.
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
