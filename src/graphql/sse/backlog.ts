import { escapeLineBreaks } from '../../http/line-breaks.js';
import { CancellableStream } from '../../platform/async/cancellable-stream.js';

/**
 * The results that wait to be written to a stream shared by several operations. Each operation is asked for its next result
 * only after the previous ones were written, so a client that does not read costs one result per operation.
 */
export class Backlog {
  /** Operations that have not ended. */
  operations = 0;
  #untaken = 0;
  #waiting: (() => void)[] = [];

  /** Resolves when nothing waits to be written. */
  async empty(): Promise<void> {
    while (this.#untaken > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  put(): void {
    this.#untaken += 1;
  }

  /** The messages of a stream on their way to its socket. */
  drain(messages: AsyncGenerator<string, void, undefined>): AsyncIterable<string> {
    return new CancellableStream({
      next: async () => {
        const result = await messages.next();
        if (result.done) return result;
        if (result.value.startsWith('event: next\n')) this.#take();
        return { done: false, value: escapeLineBreaks(result.value) };
      },
      release: () => messages.return(),
    });
  }

  #take(): void {
    this.#untaken -= 1;
    if (this.#untaken > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
