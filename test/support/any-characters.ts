/** Texts of any characters. What the library has for this (`unit: 'binary'`) takes a second to lay out a table of them all. */
import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

const character = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((code) => String.fromCodePoint(code < surrogates.first ? code : code + surrogates.count));

export function anyCharacters({ maxLength }: { maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...(maxLength !== undefined && { maxLength }) });
}
