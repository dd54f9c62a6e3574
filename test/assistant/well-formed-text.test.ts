import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WellFormedText, wellFormed } from '../../src/modules/responses/generation/well-formed-text.js';

/** Any UTF-16 text, with many pairs, halves of pairs and U+0000. */
const unit = fc.oneof(
  fc.constantFrom('\0', '\ud83d', '\ude00', '\ud83d\ude00', '\ufffd', 'a', '\n'),
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
);
const anyText = fc.array(unit).map((units) => units.join(''));

function chop(text: string, cuts: number[]): string[] {
  const positions = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return positions.slice(1).map((end, index) => text.slice(positions[index], end));
}

function clean(pieces: string[]): string[] {
  const cleaner = new WellFormedText();
  return [...pieces.map((piece) => cleaner.push(piece)), cleaner.flush()];
}

describe('cleaned text', () => {
  it('keeps everything that can be stored', () => {
    expect(wellFormed('Grüße, 日本, 😀\n\t')).toBe('Grüße, 日本, 😀\n\t');
  });

  it('has U+FFFD in place of U+0000 and of each lone surrogate', () => {
    expect(wellFormed('a\0b\ud83dc\ude00\ude00')).toBe('a\ufffdb\ufffdc\ufffd\ufffd');
  });

  it('does not depend on how the text was split', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat()), (text, cuts) => {
        expect(clean(chop(text, cuts)).join('')).toBe(wellFormed(text));
      }),
    );
  });

  it('never splits a surrogate pair between pieces, and has no U+0000', () => {
    fc.assert(
      fc.property(fc.array(anyText), (pieces) => {
        for (const piece of clean(pieces)) expect(Buffer.from(piece).toString()).toBe(piece);
        expect(clean(pieces).join('')).not.toContain('\0');
      }),
    );
  });
});

it('a surrogate pair that arrives in two pieces is passed on whole with the second', () => {
  expect(clean(['a\ud83d', '', '\ude00b'])).toEqual(['a', '', '😀b', '']);
});
