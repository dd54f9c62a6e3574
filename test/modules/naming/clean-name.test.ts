/** Whatever a model answers when it is asked for a name, what is stored is one short line. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanName } from '../../../src/modules/responses/naming/clean-name.js';
import { anyCharacters } from '../../support/any-characters.js';

describe('the name that a model gives', () => {
  it.each([
    ['Tea for two', 'Tea for two'],
    ['"Tea for two."', 'Tea for two'],
    ['**Tea for two**', 'Tea for two'],
    ['Title: Tea for two', 'Tea for two'],
    ['„Titel: Tee für zwei“', 'Tee für zwei'],
    ['Tea for two\n\nThis name says that…', 'Tea for two'],
    ['# Tea\u202e for\u0000 two', 'Tea for two'],
    ['C# and .NET 8', 'C# and .NET 8'],
    ['お茶の淹れ方', 'お茶の淹れ方'],
    ['  \n ""\n', null],
    ['***', null],
  ])('%j is stored as %j', (answer, name) => {
    expect(cleanName(answer)).toBe(name);
  });

  it('is cut after 60 characters as people count them, with a mark', () => {
    expect(cleanName('👩‍👩‍👧‍👦'.repeat(61))).toBe(`${'👩‍👩‍👧‍👦'.repeat(59)}…`);
    expect(cleanName('a'.repeat(60))).toBe('a'.repeat(60));
    expect(cleanName('a'.repeat(65_536))).toBe(`${'a'.repeat(59)}…`);
  });

  it('is null or a short line of well-formed text, whatever the answer is', () => {
    const answers = anyCharacters({ maxLength: 300 });
    fc.assert(
      fc.property(answers, (answer) => {
        const name = cleanName(answer);
        if (name === null) return;
        expect(name.isWellFormed()).toBe(true);
        expect(name).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
        expect(name.trim()).toBe(name);
        expect(name).not.toBe('');
      }),
    );
  });
});
