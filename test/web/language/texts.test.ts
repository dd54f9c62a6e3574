/** Names in sentences that are plain strings: labels, titles, announcements. */
import { describe, expect, it } from 'vitest';
import { counted, defineTexts, withValues } from '../../../src/web/language/texts.js';

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
