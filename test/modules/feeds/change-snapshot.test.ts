/** What a feed's reader keeps of PostgreSQL's snapshot: all that it says of rows, and nothing that a crash could make untrue. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { narrowSnapshot, oldestUnderWay } from '../../../src/modules/feeds/snapshot.js';
import { isSnapshot } from '../../../src/modules/threads/list/thread-cursor.js';

/** As `pg_visible_in_snapshot` decides. */
function isVisible(xid: number, snapshot: string): boolean {
  const [xmin = '', xmax = '', underWay = ''] = snapshot.split(':');
  if (xid < Number(xmin)) return true;
  return xid < Number(xmax) && !underWay.split(',').includes(String(xid));
}

const snapshots = fc
  .record({ underWay: fc.uniqueArray(fc.integer({ min: 10, max: 30 })), end: fc.integer({ min: 31, max: 34 }) })
  .map(({ underWay, end }) => {
    const pending = underWay.toSorted((a, b) => a - b);
    return `${pending[0] ?? end}:${end}:${pending.join(',')}`;
  });

describe('a narrowed snapshot', () => {
  it('agrees on all transactions up to the newest that was seen, and sees none after it', () => {
    fc.assert(
      fc.property(snapshots, fc.integer({ min: 0, max: 30 }), (snapshot, newest) => {
        fc.pre(newest === 0 || isVisible(newest, snapshot));
        const narrowed = narrowSnapshot(snapshot, BigInt(newest));
        expect(isSnapshot(narrowed), narrowed).toBe(true);
        for (let xid = 1; xid < 40; xid += 1) {
          expect(isVisible(xid, narrowed), `${xid} in ${narrowed}, of ${snapshot}`).toBe(
            xid <= newest && isVisible(xid, snapshot),
          );
        }
      }),
    );
  });

  it.each([
    ['90:100:90,95', 97n, '90:98:90,95'],
    ['90:100:90,95', 93n, '90:94:90'],
    ['90:100:90,95', 80n, '81:81:'],
    ['100:100:', 0n, '1:1:'],
  ])('of %s, where %s was the newest, is %s', (snapshot, newest, narrowed) => {
    expect(narrowSnapshot(snapshot, newest)).toBe(narrowed);
  });

  it('gives the point from which to search for what it does not see', () => {
    expect(oldestUnderWay('90:98:90,95')).toBe(90n);
  });
});
