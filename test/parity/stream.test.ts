/** One response, watched over both transports while it is being made: the same events, and one cursor for all. */
import { describe, expect } from 'vitest';
import {
  allEvents,
  type ReceivedEvent as GraphqlEvent,
  nextEvent,
  openEvents,
} from '../graphql/responses/response-events.js';
import { StreamClient } from '../graphql/streams/stream-client.js';
import type { Sent } from '../support/clients/rest-client.js';
import type { ReceivedEvent } from '../support/clients/sse.js';
import { it } from '../support/fixtures/service.js';
import { gate, reasoning, text, wait } from '../support/model/model-script.js';
import type { Person, TestService } from '../support/service.js';

const words = ['Tea ', 'or ', 'coffee ', '– ', '🍵?'];

/** A response that says one word whenever it is told to. */
async function slowResponse(service: TestService, ada: Person): Promise<{ sent: Sent; say: (index: number) => void }> {
  const gates = words.map(() => gate());
  const steps = words.flatMap((word, index) => [wait(gates[index]?.passed ?? Promise.resolve()), text(word)]);
  service.model.enqueue([reasoning('Hm.'), ...steps]);
  return { sent: await ada.rest.createThread({ text: 'Well?' }), say: (index) => gates[index]?.open() };
}

interface Piece {
  text: string;
  id: string;
}

type Transport = 'REST' | 'GraphQL';

/** The next piece of text after a position, read by somebody who comes for it and leaves with it. */
async function nextPiece(ada: Person, transport: Transport, sent: Sent, after: string | undefined): Promise<Piece> {
  if (transport === 'REST') {
    const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': after };
    const events = await ada.rest.stream(sent, { headers });
    const { value } = await events.next();
    await events.return(undefined);
    return { text: String(value?.data['token']), id: String(value?.id) };
  }
  const { results } = await openEvents(ada.graphql, { ...sent, after: after ?? null });
  let event = await nextEvent(results);
  while (event.type !== 'ResponseToken') event = await nextEvent(results);
  await results.return(undefined);
  return { text: String(event.token), id: event.cursor };
}

/** Everything after a position, to the end: pieces of text as REST has them, and how it ended. */
async function restOf(ada: Person, transport: Transport, sent: Sent, after: string) {
  if (transport === 'REST') return tailOf(await ada.rest.streamToEnd(sent, { headers: { 'last-event-id': after } }));
  const events = await allEvents(ada.graphql, { ...sent, after });
  return tailOf(events.map(inRest).filter((event) => event !== null));
}

function tailOf(events: readonly ReceivedEvent[]): { text: string; end: unknown } {
  return { text: events.map(({ data }) => String(data['token'] ?? '')).join(''), end: events.at(-1) };
}

/** What REST has for an event; null for what it leaves out. */
function inRest({ type, cursor: id, token }: GraphqlEvent): ReceivedEvent | null {
  if (type === 'ResponseToken') return { event: 'token', data: { token }, id };
  return type === 'ResponseDone' ? { event: 'done', data: {}, id } : null;
}

describe('a response that is being made', () => {
  it('gives viewers of both the same events with the same positions', async ({ service, ada, graphql }) => {
    const { sent, say } = await slowResponse(service, ada);
    const rest = await ada.rest.stream(sent);
    const { results } = await openEvents(graphql, { messageId: sent.messageId, thinking: false });
    const seen: [ReceivedEvent[], ReceivedEvent[]] = [[], []];
    for (const index of [...words.keys(), words.length]) {
      say(index);
      seen[0].push((await rest.next()).value as ReceivedEvent);
      let event = inRest(await nextEvent(results));
      while (event === null) event = inRest(await nextEvent(results));
      seen[1].push(event);
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0].map(({ event }) => event)).toEqual([...words.map(() => 'token'), 'done']);
    expect(tailOf(seen[0]).text).toBe(words.join(''));
  });

  it.for([
    ['REST first', ['REST', 'GraphQL']],
    ['GraphQL first', ['GraphQL', 'REST']],
  ] as const)(
    'is read on by the other transport at each word, without gap or repeat: %s',
    async ([_title, turns], { service, ada }) => {
      const { sent, say } = await slowResponse(service, ada);
      const pieces: Piece[] = [];
      for (const index of words.keys()) {
        say(index);
        pieces.push(await nextPiece(ada, turns[index % 2 === 0 ? 0 : 1], sent, pieces.at(-1)?.id));
      }
      expect(pieces.map((piece) => piece.text)).toEqual(words);
      const last = pieces.at(-1)?.id ?? '';
      const [one, other] = [await restOf(ada, 'REST', sent, last), await restOf(ada, 'GraphQL', sent, last)];
      expect(one).toEqual({ text: '', end: expect.objectContaining({ event: 'done' }) });
      expect(other).toEqual(one);
      for (const [index, { id }] of pieces.entries()) {
        const rest = words.slice(index + 1).join('');
        expect((await restOf(ada, 'REST', sent, id)).text).toBe(rest);
        expect((await restOf(ada, 'GraphQL', sent, id)).text).toBe(rest);
      }
    },
  );

  it('is over for both at the position of its end', async ({ ada, graphql }) => {
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    const end = (await ada.rest.streamToEnd(sent)).at(-1)?.id;
    const path = `/threads/${sent.threadId}/messages/${sent.messageId}/response`;
    const again = await ada.rest.fetch(`${path}/stream`, { headers: { 'last-event-id': String(end) } });
    expect(again.status).toBe(204);
    const { results } = await openEvents(graphql, { messageId: sent.messageId, after: String(end) });
    expect(await results.next()).toEqual({ done: true, value: undefined });
    const { response } = await graphql.data(
      'query ($threadId: ID!, $messageId: ID!) { response(threadId: $threadId, messageId: $messageId) { ... on ResponseComplete { cursor } } }',
      { ...sent },
    );
    expect(response.cursor).toBe(end);
  });

  it('has the same events over /graphql/stream', async ({ service, ada }) => {
    const sent = await ada.rest.readyThread({ text: 'Hi' });
    const query = `subscription ($id: ID!) { responseEvents(messageId: $id) {
      type: __typename ... on ResponseToken { cursor token } ... on ResponseDone { cursor } } }`;
    const client = new StreamClient(service.url, ada.token);
    const stream = await client.open({ method: 'POST', body: { query, variables: { id: sent.messageId } } });
    await stream.end;
    const events = stream.messages.map(({ payload }) => payload?.data?.['responseEvents'] as GraphqlEvent | undefined);
    const shown = events.map((event) => (event ? inRest(event) : null)).filter((event) => event !== null);
    expect(shown).toEqual(await ada.rest.streamToEnd(sent));
  });
});
