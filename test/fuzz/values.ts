/** Values that callers should not send, and changes that make a good value nearly good. */
import type { Chance } from '../support/chance.js';

const hostileTexts: readonly (() => string)[] = [
  () => '',
  () => ' ',
  () => '\u0000',
  () => '\ud800',
  () => 'x\udc00x',
  () => '\ufeff\u200b\u202e',
  () => '\u0085\u2028\u2029',
  () => `a${'\u0301\u0316'.repeat(2000)}`,
  () => 'ﷺ'.repeat(500),
  () => '가'.repeat(400),
  () => "'; DROP TABLE thread; --",
  () => '"or -not and ( & | ! :* <->',
  () => '%ff%00%2e%2e/../..\\',
  () => ['$', '{jndi:ldap://x}{{7*7}}<script>'].join(''),
  () => '__proto__',
  () => 'x'.repeat(300),
  () => 'x'.repeat(5000),
  () => 'y '.repeat(50_001),
  () => '\r\nSet-Cookie: a=b',
  () => '🧑🏽‍🚀'.repeat(90),
  () => '-1',
  () => '1e309',
  () => 'NaN',
  () => 'null',
  () => 'true',
  () => '2026-02-30T25:61:00Z',
  () => '2026-11-20T17:29:00+99:99',
  () => '275760-09-13T00:00:00.001Z',
  () => '0000-00-00T00:00:00Z',
];

export function hostileText(chance: Chance): string {
  return chance.pick(hostileTexts)();
}

export function hostileValue(chance: Chance): unknown {
  return chance.weighted<() => unknown>([
    [4, () => hostileText(chance)],
    [1, () => chance.pick([null, true, false, 0, -0, -1, 1.5, 1e308, 2 ** 31, 2 ** 53, -(2 ** 63)])],
    [
      1,
      () =>
        chance.pick<unknown>([[], {}, [[]], [null], { length: 3 }, JSON.parse('{"__proto__": 1, "constructor": 2}')]),
    ],
    [1, () => nested(chance.pick([5, 31, 33, 200]))],
    [1, () => Array.from({ length: chance.pick([3, 60, 600]) }, () => hostileText(chance).slice(0, 20))],
  ])();
}

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
}

/** The text with one change. */
export function nearText(chance: Chance, text: string): string {
  const at = chance.below(text.length + 1);
  return chance.pick([
    () => text.slice(0, at) + text.slice(at + 1),
    () =>
      text.slice(0, at) +
      chance.pick(['x', '0', '"', '{', '}', '$', '\u0000', '\ud83d', '.', '-', '=']) +
      text.slice(at),
    () => text.slice(0, at),
    () => text + text,
    () => text.toUpperCase(),
    () => ` ${text} `,
    () => `${text}${hostileText(chance)}`,
  ])();
}

/** A header's value may hold only some characters: everything else would never leave the client. */
export function asHeader(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 4000);
}
