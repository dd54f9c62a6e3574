/** A subscription to a node that is up, over a connection of its own. */
import { type GraphQLResult, readResults } from '../support/clients/graphql-client.js';
import { type Asking, ask } from './ask.js';

/** Neither where no node could be asked or none could answer, so that a client would come back. */
export interface Subscribed<Event> {
  events?: AsyncGenerator<Event>;
  refusal?: string;
}

/** Opens the subscription, whose field has the alias `event`. Leaving the loop over its events closes the connection. */
export async function subscribe<Event>(
  asking: Asking,
  body: { query: string; variables: Record<string, unknown> },
): Promise<Subscribed<Event>> {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const response = await ask(asking, '/graphql', { method: 'POST', headers, body: JSON.stringify(body) }, '');
  if (response?.status === 200 && response.body) return { events: eventsOf(readResults(response.body), asking) };
  if (!response || response.status >= 500) return {};
  return { refusal: `subscription → ${response.status} ${await response.text()}` };
}

/** Ends where the service cannot go on now; throws for any other error. */
async function* eventsOf<Event>(
  results: AsyncGenerator<GraphQLResult<{ event: Event }>>,
  { forgivesErrors = false }: Asking,
): AsyncGenerator<Event> {
  const passing = ['UNAVAILABLE', ...(forgivesErrors ? ['INTERNAL_SERVER_ERROR'] : [])];
  for await (const result of results) {
    if (result.errors?.some(({ extensions }) => passing.includes(String(extensions?.['code'])))) return;
    if (result.errors || !result.data) throw new Error(`subscription → ${JSON.stringify(result)}`);
    yield result.data.event;
  }
}
