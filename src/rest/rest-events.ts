/** The events of a response for REST: skips those that REST omits, and ends after `error` or `done`. */
import { CancellableStream } from '../async/cancellable-stream.js';
import { presentResponseEvent, type ResponseEventData } from './presenters/response-event.js';
import type { SseEvent } from './sse.js';

type Results = AsyncIterator<{ responseEvents: ResponseEventData }>;

/** `first` is the event that was read from `results` already. */
export function restEvents(results: Results, first: ResponseEventData): AsyncIterator<SseEvent> {
  const events = presented(results, first);
  return new CancellableStream({ next: () => events.next(), release: () => results.return?.() });
}

async function* presented(results: Results, first: ResponseEventData): AsyncGenerator<SseEvent, void, void> {
  for (let data = first; ; ) {
    const event = presentResponseEvent(data);
    if (event) yield event;
    if (event && event.event !== 'token') return;
    const result = await results.next();
    if (result.done) return;
    data = result.value.responseEvents;
  }
}
