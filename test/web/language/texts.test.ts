/** Names in sentences that are plain strings: labels, titles, announcements. */
import { describe, expect, it } from 'vitest';
import { currentLanguage } from '../../../src/web/language/current-language.js';
import { counted, defineTexts, listed, withValues } from '../../../src/web/language/texts.js';

const texts = defineTexts('test/texts', {
  remove: withValues('Remove {name} (2)'),
  read: counted({ one: '{names} reads', other: '{names} read {count}' }),
});

describe('a value in a text', () => {
  it('keeps its direction to itself where it is written from the right', () => {
    const t = texts.get();
    expect(t.remove({ name: 'أحمد' })).toBe('Remove \u2068أحمد\u2069 (2)');
    expect(t.read(3, { names: 'יוסי' })).toBe('\u2068יוסי\u2069 read 3');
  });

  it('is as it was written where all is written from the left', () => {
    expect(texts.get().remove({ name: 'Ada' })).toBe('Remove Ada (2)');
  });
});

it('several values in a text are listed as the language does, each in its own direction', () => {
  expect(listed(['a', 'b', 'c'])).toBe('a, b, c');
  expect(listed(['a', 'بحث (2)'])).toBe('\u2068a\u2069, \u2068بحث (2)\u2069');
  currentLanguage.set('zh');
  expect(listed(['a', 'b', 'c'])).toBe('a、b、c');
  currentLanguage.set('ar');
  expect(listed(['a', 'b'])).toBe('\u2068a\u2069 و\u2068b\u2069');
  currentLanguage.set('en');
});
