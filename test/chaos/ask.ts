/** One request, or one subscription over a connection of its own, to a node that is up, as far as the client knows. */
import { type GraphQLResult, readResults, StreamCutError } from '../support/clients/graphql-client.js';

export interface Asking {
  token: string;
  urls: () => string[];
  random: () => number;
  /** Whether nodes of the release before this one may answer that something unexpected happened. */
  forgivesErrors?: boolean;
}

const limitMs = 20_000;

/**
 * The answer of a node chosen by chance; undefined where none came. Its body, too, must come within the limit. Throws where the
 * node answers 500: whatever breaks around it, it knows what to tell its caller.
 */
export async function ask(
  { urls, token, random, forgivesErrors = false }: Asking,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string },
  prefix = '/api/v1',
): Promise<Response | undefined> {
  const nodes = urls();
  const url = nodes[Math.floor(random() * nodes.length)];
  if (!url) return undefined;
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  try {
    const reply = await fetch(`${url}${prefix}${path}`, { ...init, headers, signal: AbortSignal.timeout(limitMs) });
    if (reply.status === 500 && !forgivesErrors) throw new Error(`${path} → 500 ${await reply.text()}`);
    return reply;
  } catch (error) {
    if (isLost(error)) return undefined;
    throw error;
  }
}

/** Whether the connection broke or was silent for too long, so that a client would retry. */
export function isLost(error: unknown): boolean {
  if (error instanceof StreamCutError) return true;
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
}

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
