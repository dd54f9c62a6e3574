import { describe, expect } from 'vitest';
import type { Sent } from '../../support/clients/rest-client.js';
import { joinTokens, type ReceivedEvent } from '../../support/clients/sse.js';
import { it as test } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { streamPath } from './raw-stream.js';

const words = ['Grüße', ', ', '世界', '! ', '👋🏽', ' x'.repeat(3000), '\n', 'end'];
const whole = words.join('');

/** All events of a response whose tokens came one by one, and the response. */
async function answerInPieces(service: TestService, ada: Person): Promise<{ sent: Sent; events: ReceivedEvent[] }> {
  const gates = words.map(() => gate());
  service.model.enqueue(words.flatMap((word, index) => [text(word), wait(gates[index]?.passed ?? Promise.resolve())]));
  const sent = await ada.rest.createThread({ text: 'Hi' });
  const events: ReceivedEvent[] = [];
  for await (const event of await ada.rest.stream(sent)) gates[events.push(event) - 1]?.open();
  expect(joinTokens(events)).toBe(whole);
  expect(events).toHaveLength(words.length + 1);
  return { sent, events };
}

/** `pieces` is one such response for all who read it when it is finished. */
const it = test.extend('pieces', { scope: 'file' }, ({ service, ada }) => answerInPieces(service, ada));

const withId = (id: string | undefined) => ({ headers: { 'last-event-id': id ?? '' } });

describe('GET …/response/stream › Last-Event-ID', () => {
  it('resumes after every id of a finished response, and of that resumption', async ({
    ada,
    pieces: { sent, events },
  }) => {
    for (const [index, { id }] of events.slice(0, -1).entries()) {
      const rest = await ada.rest.streamToEnd(sent, withId(id));
      expect(joinTokens(rest), `after ${id}`).toBe(words.slice(index + 1).join(''));
      expect(rest.at(-1)).toEqual(events.at(-1));
      if (rest.length === 1) continue;
      const further = await ada.rest.streamToEnd(sent, withId(rest[0]?.id));
      expect(joinTokens(further), `after ${id} and then ${rest[0]?.id}`).toBe(joinTokens(rest.slice(1)));
    }
  });

  it('takes last_event_id from clients that cannot set headers', async ({ ada, pieces: { sent, events } }) => {
    const response = await ada.rest.fetch(`${streamPath(sent)}?last_event_id=${events[4]?.id}`);
    const blocks = (await response.text()).split('\n\n').filter((block) => block.startsWith('event: token'));
    const text = blocks.map((block) => JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '').token).join('');
    expect(text).toBe(words.slice(5).join(''));
  });

  // So that an EventSource, which reconnects to its first URL, does not come back for ever.
  it('answers 204 to the id of the last event, and prefers the header', async ({ ada, pieces: { sent, events } }) => {
    const path = `${streamPath(sent)}?last_event_id=${events[0]?.id}`;
    const { status, body } = await ada.rest.get(path, withId(events.at(-1)?.id));
    expect([status, body]).toEqual([204, undefined]);
  });

  it.for(['lastEventId', 'last-event-id', 'Last-Event-ID', 'lastEventID', 'LastEventId', 'last_event_ID'])(
    'takes the position as polyfills of EventSource spell it: %s',
    async (name, { ada, pieces: { sent, events } }) => {
      const last = events.at(-1)?.id;
      const at = (query: string, init = {}) => ada.rest.get(`${streamPath(sent)}?${query}`, init);
      expect((await at(`${name}=${last}`)).status).toBe(204);
      // A reconnecting polyfill appends to its first URL, which may hold an earlier position.
      expect((await at(`last_event_id=${events[0]?.id}&${name}=${last}`)).status).toBe(204);
      expect((await at(`last_event_id=${last}&${name}=`)).status).toBe(204);
      expect((await at(`${name}=${last}&${name}=${last}`, { headers: { prefer: 'handling=strict' } })).status).toBe(
        204,
      );
      expect((await at(`${name}=${events[0]?.id}`, withId(last))).status).toBe(204);
      expect((await at(`${name}=${events[0]?.id}&${name}=${last}`)).body).toMatchObject({
        errors: [{ parameter: 'last_event_id', message: 'must be given once' }],
      });
    },
  );

  it.for(['', ' ', 'x', '7', '-5', '1-', '1-5-', '1-5x', '1e0-5', '99-5', '1-99999999', 'NaN-end', '9-end', '世'])(
    'starts from the beginning for %j, which no event had',
    async (id, { ada, pieces }) => {
      const events = await ada.rest.streamToEnd(pieces.sent, withId(encodeURI(id)));
      expect(joinTokens(events)).toBe(whole);
      expect(events.at(-1)?.event).toBe('done');
    },
  );
});
