import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPosition, parsePosition } from '../../../../src/modules/tokens/log/position.js';

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

  it('never throws, whatever a client sends', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const position = parsePosition(value);
        expect(position === null || formatPosition(position).length <= value.length).toBe(true);
      }),
    );
  });
});
