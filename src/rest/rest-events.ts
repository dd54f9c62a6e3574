/** The events of a response as REST sends them: what REST leaves out is passed over, and `error` and `done` are the last. */
import { presentResponseEvent, type ResponseEventData } from './presenters/response-event.js';
import type { SseEvent } from './sse.js';

/** An iterator of its own, so that `return()` reaches a source that is waiting. */
export class RestEvents implements AsyncIterator<SseEvent> {
  #first: ResponseEventData | undefined;
  #isOver = false;

  constructor(
    private readonly results: AsyncIterator<{ responseEvents: ResponseEventData }>,
    first: ResponseEventData,
  ) {
    this.#first = first;
  }

  async next(): Promise<IteratorResult<SseEvent>> {
    for (;;) {
      const data = this.#isOver ? undefined : await this.#pull();
      if (!data) return this.return();
      const event = presentResponseEvent(data);
      if (!event) continue;
      this.#isOver = event.event !== 'token';
      return { done: false, value: event };
    }
  }

  async return(): Promise<IteratorResult<SseEvent>> {
    this.#isOver = true;
    await this.results.return?.();
    return { done: true, value: undefined };
  }

  async #pull(): Promise<ResponseEventData | undefined> {
    const first = this.#first;
    this.#first = undefined;
    if (first) return first;
    const result = await this.results.next();
    return result.done ? undefined : result.value.responseEvents;
  }
}
