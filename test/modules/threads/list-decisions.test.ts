/** What a list of threads decides by itself: whether a stored position serves, and whether a search uses the index. */
import { describe, expect, it } from 'vitest';
import { usesIndex } from '../../../src/modules/threads/list/estimate-search.js';
import { StoredPositions } from '../../../src/modules/threads/list/stored-positions.js';

const position = '2026-11-20 17:00:00.123456+00';
const first = { snapshot: '10:10:', startedAt: '2026-11-20 18:00:00.5+00' };
const later = { snapshot: '20:20:', startedAt: '2026-11-20 19:00:00.5+00' };
const at = (pagination: typeof first | null) => ({ id: 'thr_1', position, pagination });

let now = 0;

/** The positions of a process that has stored this one. */
function storing(pagination: typeof first | null): StoredPositions {
  const positions = new StoredPositions(() => now);
  positions.add('key', at(pagination));
  return positions;
}

describe('a stored position', () => {
  it('serves for the same page, for a minute', () => {
    const positions = storing(null);
    expect(positions.hasOneFor('key', at(null), null)).toBe(true);
    now += 60_001;
    expect(positions.hasOneFor('key', at(null), null)).toBe(false);
  });

  it('serves for nobody else, and for no other place of the thread', () => {
    const positions = storing(null);
    expect(positions.hasOneFor('other', at(null), null)).toBe(false);
    expect(positions.hasOneFor('key', { ...at(null), position: '2026-11-20 17:00:00.123457+00' }, null)).toBe(false);
    expect(positions.hasOneFor('key', at(first), null)).toBe(false);
  });

  it.each([
    ['all threads of the list stood still for a minute before its snapshot', '2026-11-20 17:58:58.9+00', true],
    ['a thread moved within that minute', '2026-11-20 17:59:00+00', false],
    ['a thread has moved since', '2026-11-20 18:30:00+00', false],
    ['the newest thread is not known, as on a later page', null, false],
    ['the newest thread stands at no time', '-infinity', false],
  ])('serves for a later snapshot where %s: %s', (_case, newest, expected) => {
    expect(storing(first).hasOneFor('key', at(later), newest)).toBe(expected);
  });

  it('is forgotten after the next five thousand', () => {
    const positions = storing(null);
    for (let n = 0; n < 5000; n += 1) positions.add(`other ${n}`, at(null));
    expect(positions.hasOneFor('key', at(null), null)).toBe(false);
  });
});

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
