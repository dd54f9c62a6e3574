/** The stream of a response over either protocol, as the same events: both have the same positions (docs/streaming.md). */
import { readEvents } from '../support/clients/sse.js';
import { type Asking, ask } from './ask.js';
import { type Subscribed, subscribe } from './subscribe.js';

/** `void`: the text of an earlier attempt no longer counts. */
export interface ResponseEvent {
  kind: 'token' | 'void' | 'done' | 'error' | 'status';
  position: string;
  token: string;
}

export interface Followed {
  threadId: string;
  messageId: string;
}

type Opened = Promise<Subscribed<ResponseEvent>>;

interface GraphQLEvent {
  __typename: string;
  cursor: string;
  token?: string;
}

const query = `subscription ($messageId: ID!, $after: String) { event: responseEvents(messageId: $messageId, after: $after) {
  __typename ... on Positioned { cursor } ... on ResponseToken { token } } }`;

const kinds: Record<string, ResponseEvent['kind']> = {
  ResponseToken: 'token',
  ResponseRestarted: 'void',
  ResponseDone: 'done',
  ResponseError: 'error',
};

/** Opens the stream behind a position. */
export const openStream = { REST: openRest, GraphQL: openGraphQL };

async function openRest(asking: Asking, { threadId, messageId }: Followed, after?: string): Opened {
  const headers: Record<string, string> = after ? { 'last-event-id': after } : {};
  const response = await ask(asking, `/threads/${threadId}/messages/${messageId}/response/stream`, { headers });
  if (response?.status === 200 && response.body) return { events: restEvents(response.body) };
  if (!response || response.status >= 500) return {};
  return { refusal: `stream → ${response.status} ${await response.text()}` };
}

async function* restEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ResponseEvent> {
  for await (const { event, id = '', data } of readEvents(body)) {
    if (event === 'error' && !id.endsWith('-end')) yield { kind: 'void', position: id, token: '' };
    else yield { kind: event as 'token' | 'done' | 'error', position: id, token: String(data['token'] ?? '') };
  }
}

async function openGraphQL(asking: Asking, { messageId }: Followed, after?: string): Opened {
  const { events, refusal } = await subscribe<GraphQLEvent>(asking, { query, variables: { messageId, after } });
  if (refusal !== undefined) return { refusal };
  return events ? { events: graphqlEvents(events) } : {};
}

async function* graphqlEvents(events: AsyncGenerator<GraphQLEvent>): AsyncGenerator<ResponseEvent> {
  for await (const { __typename, cursor, token = '' } of events) {
    yield { kind: kinds[__typename] ?? 'status', position: cursor, token };
  }
}
