/** Reads a stream of server-sent events with a parser that is not ours. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';

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
  for await (const { event, data, id } of messagesIn(chunks)) {
    yield { event: event ?? 'message', data: JSON.parse(data), id };
  }
}

/** What a stream of events has sent so far, its data as they are; throws if it is no such stream. */
export async function* messagesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  const received: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (message) => received.push(message),
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
