/** The events of a response as a subscriber of GraphQL gets them. */
import type { Data, GraphQLClient, GraphQLResult, Subscription } from '../../support/clients/graphql-client.js';

const query = `subscription ($messageId: ID!, $threadId: ID, $after: String, $thinking: Boolean) {
  responseEvents(messageId: $messageId, threadId: $threadId, after: $after, thinking: $thinking) {
    type: __typename
    ... on ResponseStatus { cursor status }
    ... on ResponseThinking { cursor text }
    ... on ResponseToken { cursor token }
    ... on ResponseRestarted { cursor }
    ... on ResponseRetrying { cursor call maxCalls code message }
    ... on ResponseError { cursor code message }
    ... on ResponseDone { cursor }
  }
}`;

type Received = Data<typeof query>;
export type ReceivedEvent = Received['responseEvents'];
export type EventResult = GraphQLResult<Received>;

export interface Which {
  messageId: string;
  threadId?: string;
  after?: string | null;
  thinking?: boolean;
}

/** Opens the subscription. */
export function openEvents(
  client: GraphQLClient,
  { messageId, threadId, after, thinking }: Which,
  signal?: AbortSignal,
): Promise<Subscription<Received>> {
  return client.subscribe({ query, variables: { messageId, threadId, after, thinking } }, signal);
}

/** All events to the end; throws where there is an error instead. */
export async function allEvents(client: GraphQLClient, which: Which): Promise<ReceivedEvent[]> {
  return remainingEvents((await openEvents(client, which)).results);
}

/** The same of a stream that is open. */
export async function remainingEvents(results: AsyncGenerator<EventResult>): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  for await (const result of results) events.push(eventOf(result));
  return events;
}

/** The next event; throws where the stream has ended or gives an error. */
export async function nextEvent(results: AsyncGenerator<EventResult>): Promise<ReceivedEvent> {
  const { done, value } = await results.next();
  if (done) throw new Error('The stream has ended, and another event was expected.');
  return eventOf(value);
}

function eventOf(result: EventResult): ReceivedEvent {
  if (result.errors || !result.data) throw new Error(`Not an event: ${JSON.stringify(result)}`);
  return result.data.responseEvents;
}

/** The text that a subscriber has after these events: what came before a restart is void. */
export function textAfter(events: readonly ReceivedEvent[]): string {
  const start = events.findLastIndex(({ type }) => type === 'ResponseRestarted') + 1;
  return events
    .slice(start)
    .map(({ token }) => token ?? '')
    .join('');
}
