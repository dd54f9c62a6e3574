/**
 * Under which idempotency key a draft was sent, until the service is known to have accepted it. If the answer is lost, also with the
 * page, the text returns to its draft; sent again as it was, it has the same key, so that nobody gets it twice (docs/rest.md, Sending
 * safely).
 */
import { newIdempotencyKey } from '../../api/idempotency-key.js';

interface Sent {
  text: string;
  /** The ids of its files. */
  files: (string | null)[];
  key: string;
}

/** Kept in this browser under a name. */
export class SentKey {
  constructor(private readonly name: string) {}

  /** The key to send this under: that of the last time, if it is the same. */
  take(text: string, files: readonly { id: string | null }[]): string {
    const ids = files.map(({ id }) => id);
    const last = this.#last();
    if (last?.text === text && last.files.join() === ids.join()) return last.key;
    const sent: Sent = { text, files: ids, key: newIdempotencyKey() };
    localStorage.setItem(this.name, JSON.stringify(sent));
    return sent.key;
  }

  /** Called when a text was accepted. */
  settle(text: string): void {
    if (this.#last()?.text === text) this.#remove();
  }

  /** Called with whatever is written: the same words, written anew, are another message. */
  write(text: string): void {
    if (this.#last()?.text !== text) this.#remove();
  }

  #last(): Sent | null {
    return JSON.parse(localStorage.getItem(this.name) ?? 'null');
  }

  #remove(): void {
    localStorage.removeItem(this.name);
  }
}
