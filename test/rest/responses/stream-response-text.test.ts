import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { formatFrame } from '../../../src/rest/sse.js';
import { anyCharacters } from '../../support/any-characters.js';
import { propertyRuns } from '../../support/case-counts.js';
import type { PollBody } from '../../support/clients/rest-types.js';
import { joinTokens } from '../../support/clients/sse.js';
import { it } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { openRaw } from './raw-stream.js';

interface Shown {
  /** The tokens of a viewer who was there, of one who came later, what poll gives, and what the database has. */
  live: string;
  replay: string;
  poll: string;
  stored: string;
}

/** The text that every viewer gets of a response whose model sends these pieces. */
async function answerWith(service: TestService, ada: Person, deltas: readonly string[]): Promise<Shown> {
  const begin = gate();
  service.model.enqueue([wait(begin.passed), ...deltas.map(text)]);
  const sent = await ada.rest.createThread({ text: 'Hi' });
  const events = await ada.rest.stream(sent);
  begin.open();
  const live: string[] = [];
  for await (const { event, data } of events) {
    if (event === 'error') throw new Error(`The response failed: ${data['message']}`);
    if (event === 'token') live.push(String(data['token']));
  }
  const replay = joinTokens(await ada.rest.streamToEnd(sent));
  const reply = await ada.rest.get<PollBody>(`/threads/${sent.threadId}/messages/${sent.messageId}/response`);
  const block = reply.body.messages?.[0]?.contents[0];
  const message = await service.database.message.findFirstOrThrow({ where: { replyToId: sent.messageId } });
  const [stored] = message.contents as { text: string }[];
  for (const token of live) expect(token.isWellFormed(), JSON.stringify(token)).toBe(true);
  return {
    live: live.join(''),
    replay,
    poll: block?.type === 'text' ? block.text : `no text, but ${block?.type}`,
    stored: stored?.text ?? '',
  };
}

const all = (expected: string): Shown => ({ live: expected, replay: expected, poll: expected, stored: expected });

describe('GET …/response/stream › text', () => {
  it('never cuts a character in two on the wire', async ({ service, ada }) => {
    service.model.enqueue([text('😀'.repeat(9000))]);
    const stream = await openRaw(ada.rest, await ada.rest.createThread({ text: 'Hi' }));
    // The decoder is strict about UTF-8; a lone half would have been written as an escape.
    expect(await stream.toEnd()).not.toMatch(/\\ud[89a-f]|\ufffd/i);
  });

  it('adds up to the stored text however the model cuts it', async ({ service, ada }) => {
    const unit = fc.oneof(
      { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
      { weight: 2, arbitrary: anyCharacters({ maxLength: 30 }) },
      fc.constantFrom('\n', '\r\n', '\u2028', '"', '\\', '\0', '\ud83d', '\ude00', '😀', 'x'.repeat(5000)),
    );
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 20 }), cuts, async (units, fractions) => {
        const whole = `.${units.join('')}`;
        const marks = [0, ...fractions.map((part) => Math.floor(part * whole.length)).sort((a, b) => a - b)];
        const deltas = marks.map((from, index) => whole.slice(from, marks[index + 1])).filter((part) => part !== '');
        const expected = whole.replace(/[\0\p{Cs}]/gu, '\ufffd');
        expect(await answerWith(service, ada, deltas)).toEqual(all(expected));
      }),
      { numRuns: Number(process.env['RUNS'] ?? propertyRuns(40)) },
    );
  }, 180_000);
});

// Readers that take any line break of Unicode for the end of a line read the same events as all others, on every transport.

/** As Python's `splitlines`. */
const anyBreak = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;
const breaks = [
  '\u0085',
  '\u2028',
  '\u2029',
  '\r',
  '\n',
  '\r\n',
  '\v',
  '\f',
  '\x1c',
  '\x1d',
  '\x1e',
  'a',
  '"',
  '\\',
  '💬',
];

it('a frame has the same lines for every reader, and the same text', () => {
  const texts = fc.array(fc.oneof(fc.constantFrom(...breaks), anyCharacters())).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (token) => {
      const frame = formatFrame({ event: 'token', data: { token }, id: '1-1' });
      const lines = frame.split(anyBreak);
      expect(lines).toEqual(frame.split('\n'));
      expect(JSON.parse(String(lines[1]).slice('data: '.length))).toEqual({ token });
    }),
    { numRuns: propertyRuns(500) },
  );
});

it('a stream of a text with every line break is the same, over REST and GraphQL', async ({ service, ada }) => {
  const said = `one${breaks.join('·')}two`;
  service.model.enqueue([text(said)]);
  const sent = await ada.rest.readyThread({ text: 'Hi' });
  const query = `subscription { responseEvents(messageId: "${sent.messageId}") { ... on ResponseToken { token } } }`;
  const headers = {
    authorization: `Bearer ${ada.token}`,
    'content-type': 'application/json',
    accept: 'text/event-stream',
  };
  const subscribe = (path: string) =>
    fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const path = `/threads/${sent.threadId}/messages/${sent.messageId}/response/stream`;
  const streams = { rest: ada.rest.fetch(path), graphql: subscribe('/graphql'), sse: subscribe('/graphql/stream') };
  for (const [transport, response] of Object.entries(streams)) {
    const raw = await (await response).text();
    expect([transport, raw.split(anyBreak)]).toEqual([transport, raw.split('\n')]);
    const data = raw.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
    const tokens = data.map((each) => each.token ?? each.data?.responseEvents?.token ?? '');
    expect([transport, tokens.join('')]).toEqual([transport, said]);
  }
});
