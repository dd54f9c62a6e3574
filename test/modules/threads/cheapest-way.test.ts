import { describe, expect, it } from 'vitest';
import { cheapestWay } from '../../../src/modules/threads/list/estimate-search.js';

/** A million messages in a hundred thousand threads, of which the walk has read 143. */
const large = { messages: 1_000_000, threads: 100_000 };
const walked = { budget: 2_000, threads: 143, wanted: 51 };

describe('cheapestWay', () => {
  it.each([
    ['rare words, of which nothing was found', { matches: 900, found: 0 }],
    ['rare words, of which one was found by chance', { matches: 900, found: 1 }],
    ['frequent words that are only in older threads or in those of others', { matches: 50_000, found: 0 }],
    ['frequent words that are never together', { matches: 250_000, found: 0 }],
    [
      'words so frequent that the index is not used, but none was found',
      { matches: Number.POSITIVE_INFINITY, found: 0 },
    ],
    ['no words', { matches: 0, found: 0 }],
  ])('takes the index for %s', (_title, { matches, found }) => {
    expect(cheapestWay({ ...large, matches }, { ...walked, found })).toBe('index');
  });

  it.each([
    ['a page that was nearly full', { matches: 90_000, found: 40 }, 4_000],
    ['a page that was half full', { matches: 90_000, found: 20 }, 7_327],
    ['words that the index is not used for', { matches: Number.POSITIVE_INFINITY, found: 10 }, 13_910],
    ['a page that needs much more', { matches: 90_000, found: 1 }, 16_000],
  ])('reads on in the list for %s', (_title, { matches, found }, budget) => {
    expect(cheapestWay({ ...large, matches }, { ...walked, found })).toBe(budget);
  });

  it('reads a short list to its end, however frequent the words are elsewhere', () => {
    const short = { ...large, threads: 1_000 };
    expect(cheapestWay({ ...short, matches: 50_000 }, { ...walked, found: 0 })).toBe(16_000);
  });

  it('takes the index in a short list too if its words are rare', () => {
    const short = { ...large, threads: 1_000 };
    expect(cheapestWay({ ...short, matches: 100 }, { ...walked, found: 0 })).toBe('index');
  });

  it('always reads at least twice as much as before, so that it ends', () => {
    for (const budget of [1, 100, 10_000_000]) {
      for (const found of [0, 50]) {
        const way = cheapestWay(
          { matches: 1_000_000, messages: 1_000_000, threads: 0 },
          { budget, found, threads: 0, wanted: 51 },
        );
        if (way !== 'index') expect(way).toBeGreaterThanOrEqual(2 * budget);
      }
    }
  });
});
