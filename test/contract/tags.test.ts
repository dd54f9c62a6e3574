/** When two tags are the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maximumTagLength, tagKey, tidyTag } from '../../src/contract.js';

describe('two tags', () => {
  it.each([
    ['Budget', 'bUDGET'],
    ['Q3 Budget', ' q3\u00a0\t budget '],
    ['Straße', 'STRASSE'],
    ['Straße', 'STRAẞE'],
    ['ΟΔΟΣ', 'οδος'],
    ['e\u0301te\u0301', 'ÉTÉ'],
    ['ＡＢＣ①', 'abc1'],
    ['bud\u200bget\u202e', 'budget'],
    ['❤\ufe0f', '❤'],
  ])('%j and %j are the same', (one, other) => {
    expect(tagKey(one)).toBe(tagKey(other));
  });

  it.each([
    ['resume', 'résumé'],
    ['budget', 'budgets'],
    ['c', 'c#'],
    ['q3', 'q 3'],
  ])('%j and %j are not', (one, other) => {
    expect(tagKey(one)).not.toBe(tagKey(other));
  });

  it.each([
    ['what is stored of them', tidyTag],
    ['their key', tagKey],
  ])('are the same as %s', (_what, change) => {
    const texts = fc.string({ unit: 'grapheme', maxLength: maximumTagLength });
    fc.assert(
      fc.property(texts, (text) => {
        expect(tagKey(change(text))).toBe(tagKey(text));
      }),
    );
  });
});
