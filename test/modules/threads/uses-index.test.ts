import { describe, expect, it } from 'vitest';
import { usesIndex } from '../../../src/modules/threads/list/estimate-search.js';

/** A million messages in a hundred thousand threads, of which 143 were examined. */
const large = { messages: 1_000_000, threads: 100_000 };
const examined = { work: 2_000, threads: 143, wanted: 51 };
const most = 40_000;

describe('usesIndex', () => {
  it.each([
    ['rare words, of which nothing was found', { matches: 900, found: 0 }],
    ['rare words, of which one was found by chance', { matches: 900, found: 1 }],
    ['no words', { matches: 0, found: 0 }],
    [
      'words of which the statistics only guess how frequent they are, if nothing was found',
      { matches: 20_000, found: 0 },
    ],
    ['the same, if much less was found than they promised', { matches: 20_000, found: 1 }],
  ])('is true for %s', (_title, { matches, found }) => {
    const exactMatches = Math.min(matches, 5_000);
    expect(usesIndex({ ...large, matches, exactMatches }, { ...examined, found }, most)).toBe(true);
  });

  it.each([
    ['a page that was nearly full', { matches: 90_000, found: 40 }],
    ['a page that reading on is expected to fill', { matches: 20_000, found: 6 }],
    ['words that the index is not used for', { matches: Number.POSITIVE_INFINITY, found: 0 }],
    ['frequent words that are never together', { matches: 250_000, found: 0 }],
    ['frequent words that are only in older threads or in those of others', { matches: 50_000, found: 0 }],
  ])('is false for %s', (_title, { matches, found }) => {
    expect(usesIndex({ ...large, matches, exactMatches: matches }, { ...examined, found }, most)).toBe(false);
  });

  it('is false for more matches than one search may look up, even if nothing was found', () => {
    const estimate = { ...large, messages: 10_000_000, matches: 60_000, exactMatches: 60_000 };
    expect(usesIndex(estimate, { ...examined, found: 0 }, most)).toBe(false);
  });

  it('is false in a list that is read to its end for less work', () => {
    const short = { ...large, threads: 1_000, matches: 3_000, exactMatches: 3_000 };
    expect(usesIndex(short, { ...examined, found: 0 }, most)).toBe(false);
  });

  it('is true in a short list if its words are rare', () => {
    const short = { ...large, threads: 1_000, matches: 100, exactMatches: 100 };
    expect(usesIndex(short, { ...examined, found: 0 }, most)).toBe(true);
  });
});
