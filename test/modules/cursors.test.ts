/** What a caller may send as a cursor: what was given out, character by character, and nothing that is longer; what each kind says. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidCursorError } from '../../src/errors.js';
import { createId } from '../../src/ids.js';
import { maximumCursorLength } from '../../src/modules/cursor-text.js';
import { decodeChangeCursor, encodeChangeCursor } from '../../src/modules/feeds/change-cursor.js';
import { narrowSnapshot, oldestUnderWay } from '../../src/modules/feeds/snapshot.js';
import { encodeMessageCursor, parseMessageCursor } from '../../src/modules/messages/message-cursor.js';
import { decodeThreadCursor, encodeThreadCursor, isSnapshot } from '../../src/modules/threads/list/thread-cursor.js';
import { formatPosition, parsePosition } from '../../src/modules/tokens/log/position.js';
import { anyCharacters } from '../support/any-characters.js';
import { propertyRuns } from '../support/case-counts.js';

const moment = '2026-11-22 06:31:00.123456+00';
const underWay = (count: number) => {
  const xids = Array.from({ length: count }, (_, index) => 900_000_000_000_000_000n - BigInt(count - index));
  return `${xids[0] ?? 5}:900000000000000000:${xids.join(',')}`;
};
const id = createId('thr');

function refusing<Value>(decode: (text: string) => Value): (text: string) => Value | null {
  return (text) => {
    try {
      return decode(text);
    } catch (error) {
      if (error instanceof InvalidCursorError) return null;
      throw error;
    }
  };
}

/** Each kind: what its decoder takes goes through its encoder again. */
const kinds: Record<string, { samples: string[]; again: (text: string) => string | null }> = {
  'of threads': {
    samples: [
      encodeThreadCursor({ position: moment, id, pagination: null }),
      encodeThreadCursor({ position: '-infinity', id, pagination: { snapshot: underWay(3), startedAt: moment } }),
    ],
    again: (text) => {
      const cursor = refusing(decodeThreadCursor)(text);
      return cursor && encodeThreadCursor(cursor);
    },
  },
  'of changes': {
    samples: [
      encodeChangeCursor({ history: 'h-1', since: underWay(0), pagination: null }),
      encodeChangeCursor({
        history: 'h-1',
        since: underWay(2),
        pagination: { until: underWay(1), xid: '7', threadId: id },
      }),
    ],
    again: (text) => {
      const cursor = refusing(decodeChangeCursor)(text);
      return cursor && encodeChangeCursor(cursor);
    },
  },
  'of messages': {
    samples: [encodeMessageCursor(0), encodeMessageCursor(123_456)],
    again: (text) => {
      const cursor = parseMessageCursor(text);
      return cursor && 'sequence' in cursor ? encodeMessageCursor(cursor.sequence) : null;
    },
  },
  'of a response': {
    samples: ['1-end', formatPosition({ epoch: 3, text: 77, thinking: 5 })],
    again: (text) => {
      const position = parsePosition(text);
      return position && formatPosition(position);
    },
  },
};

/** A cursor with a piece of it cut out, doubled or replaced. */
const edited = (samples: string[]) =>
  fc
    .tuple(fc.constantFrom(...samples), fc.nat(), fc.nat(8), fc.oneof(anyCharacters(), fc.base64String()))
    .map(([text, place, length, piece]) => {
      const start = place % (text.length + 1);
      return text.slice(0, start) + piece + text.slice(start + length);
    });

/** The same with the edit inside of the encoding. */
const editedInside = (samples: string[]) =>
  edited(samples.map((text) => Buffer.from(text, 'base64url').toString())).map((text) =>
    Buffer.from(text).toString('base64url'),
  );

describe.each(Object.entries(kinds))('a cursor %s', (name, { samples, again }) => {
  it('is accepted as issued', () => {
    expect(samples.map(again)).toEqual(samples);
  });

  it('that was edited is refused, or is one that could have been issued', () => {
    fc.assert(
      fc.property(fc.oneof(edited(samples), editedInside(samples)), (text) => {
        const taken = again(text);
        // A response's position of no thinking may be written out.
        return taken === null || taken === text || (name === 'of a response' && `${taken}-0` === text);
      }),
      { numRuns: propertyRuns(3000) },
    );
  });
});

describe('a cursor that is too long', () => {
  const long = (text: string) => Buffer.from(text).toString('base64url');

  it('is refused, whatever it says', () => {
    const pagination = `${moment}|${id}|${underWay(5000)}|${moment}`;
    expect(() => decodeThreadCursor(long(pagination))).toThrow(InvalidCursorError);
    expect(() => decodeChangeCursor(long(`h|${underWay(5000)}`))).toThrow(InvalidCursorError);
    expect(parseMessageCursor(long(`m${'0'.repeat(100_000)}1`))).toBeNull();
  });

  it('is never returned: a list of threads starts with a new snapshot, a feed repeats a few changes', () => {
    const pagination = { snapshot: underWay(5000), startedAt: moment };
    const cursor = encodeThreadCursor({ position: moment, id, pagination });
    expect(decodeThreadCursor(cursor)).toEqual({ position: moment, id, pagination: null });

    const narrowed = narrowSnapshot(underWay(5000), 899_999_999_999_999_999n);
    const [first] = underWay(5000).split(':');
    expect(narrowed).toBe(`${first}:${first}:`);
    const widest = narrowSnapshot(underWay(300), 899_999_999_999_999_999n);
    expect(widest.split(',')).toHaveLength(300);
    const change = { history: 'h'.repeat(100), since: widest, pagination: { until: widest, xid: '7', threadId: id } };
    expect(encodeChangeCursor(change).length).toBeLessThanOrEqual(maximumCursorLength);
  });
});

describe('position', () => {
  it('reads back what it writes', () => {
    const units = fc.nat({ max: 9_999_999_999 });
    const live = fc.record({ epoch: fc.nat({ max: 999_999_999_999_999 }), text: units, thinking: units });
    const end = fc.record({ epoch: fc.nat(), text: fc.constant('end' as const), thinking: fc.constant(0) });
    fc.assert(
      fc.property(fc.oneof(live, end), (position) => {
        expect(parsePosition(formatPosition(position))).toEqual(position);
      }),
    );
  });

  it('writes epoch, text and, if there is any, thinking', () => {
    expect(formatPosition({ epoch: 3, text: 0, thinking: 0 })).toBe('3-0');
    expect(formatPosition({ epoch: 3, text: 12, thinking: 0 })).toBe('3-12');
    expect(formatPosition({ epoch: 3, text: 12, thinking: 7 })).toBe('3-12-7');
    expect(formatPosition({ epoch: 3, text: 'end', thinking: 7 })).toBe('3-end');
  });

  it.each([
    '',
    '3',
    '3-',
    '-1-2',
    '3--1',
    '03-1',
    '3-01',
    '3-1-',
    '3-end-1',
    '3-1-2-3',
    ' 3-1',
    '3-1\n',
    '3-１',
    '1e3-1',
    '3-END',
  ])('takes %j for no position', (value) => {
    expect(parsePosition(value)).toBeNull();
  });

  it('treats numbers that are too large to be exact as no position', () => {
    expect(parsePosition('1000000000000000-0')).toBeNull();
    expect(parsePosition('1-10000000000')).toBeNull();
  });

  it('treats an absent value as no position', () => {
    expect(parsePosition(null)).toBeNull();
    expect(parsePosition(undefined)).toBeNull();
  });
});

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
