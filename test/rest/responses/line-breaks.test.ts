/** Readers that take any line break of Unicode for the end of a line read the same events as all others, on every transport. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { formatFrame } from '../../../src/rest/sse.js';
import { anyCharacters } from '../../support/any-characters.js';
import { propertyRuns } from '../../support/case-counts.js';
import { it } from '../../support/fixtures/service.js';
import { text } from '../../support/model/model-script.js';

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
