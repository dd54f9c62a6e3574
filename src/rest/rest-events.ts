/** The events of a response for REST: skips those that REST omits, and ends after `error` or `done`. */
import { presentResponseEvent, type ResponseEventData } from './presenters/response-event.js';
import type { SseEvent } from './sse.js';

type Results = AsyncIterator<{ responseEvents: ResponseEventData }>;

/** `first` is the event that was read from `results` already. */
export function restEvents(results: Results, first: ResponseEventData): AsyncIterator<SseEvent> {
  let data: ResponseEventData | null = first;
  let isOver = false;
  const over = { done: true, value: undefined } as const;
  const read = async () => {
    const result = await results.next();
    return result.done ? null : result.value.responseEvents;
  };
  return {
    async next() {
      while (!isOver) {
        data ??= await read();
        const event = data && presentResponseEvent(data);
        isOver = data === null || (event !== null && event.event !== 'token');
        data = null;
        if (event) return { done: false, value: event };
      }
      return over;
    },
    async return() {
      // Settles a `next()` that waits.
      await results.return?.();
      return over;
    },
  };
}
