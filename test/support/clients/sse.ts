/** Reads a stream of server-sent events with a parser that is not ours. */
import { createParser } from 'eventsource-parser';

export interface ReceivedEvent {
  event: string;
  data: Record<string, unknown>;
  id: string | undefined;
}

/**
 * The events of a response body, as they come. Leaving the loop closes the connection. The body is taken at once: `fetch`
 * cancels one that nobody has begun to read as soon as its response is collected as garbage.
 */
export function readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ReceivedEvent> {
  return eventsIn(body.values());
}

async function* eventsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReceivedEvent> {
  const received: ReceivedEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data, id }) => received.push({ event: event ?? 'message', data: JSON.parse(data), id }),
    onError: (error) => {
      throw error;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* received.splice(0);
  }
}

/** The text that the `token` events add up to. */
export function joinTokens(events: readonly ReceivedEvent[]): string {
  return events.map((event) => (event.event === 'token' ? String(event.data['token']) : '')).join('');
}
