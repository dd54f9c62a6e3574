/** Frames are the same however the bytes of an answer are cut, and with any line end. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventFrames } from '../../src/assistant/compatible/event-frames.js';

/** Lines as servers send them; the last one is whole. */
const line = fc.oneof(
  fc.constantFrom('', ': ping', 'data: [DONE]', 'event: error', 'data: {', 'data: }', 'data:', '{"a":1}'),
  fc.json().map((json) => `data: ${json.replaceAll(/[\r\n]/g, '')}`),
);

function framesOf(pieces: readonly Uint8Array[]) {
  const frames = new EventFrames();
  return [...pieces.flatMap((piece) => frames.push(piece)), ...frames.end()];
}

it('frames › are the same in whatever pieces the bytes come, and with any line end', () => {
  const input = fc.record({
    lines: fc.array(line, { maxLength: 20 }),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    cuts: fc.array(fc.nat(400), { maxLength: 20 }),
  });
  fc.assert(
    fc.property(input, ({ lines, end, cuts }) => {
      const bytes = Buffer.from(lines.map((text) => text + end).join(''));
      const places = [0, ...cuts.filter((place) => place < bytes.length).toSorted((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
      expect(framesOf(pieces)).toEqual(framesOf([Buffer.from(lines.map((text) => `${text}\n`).join(''))]));
    }),
  );
});
