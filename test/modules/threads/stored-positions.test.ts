/** When what was stored of the end of a page serves as well as what a page just read would store. */
import { describe, expect, it } from 'vitest';
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
