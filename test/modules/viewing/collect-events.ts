import type { ReceivedEvent } from '../../support/clients/sse.js';

/** What is left of a stream. */
export async function collectEvents(stream: AsyncIterable<ReceivedEvent>): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
