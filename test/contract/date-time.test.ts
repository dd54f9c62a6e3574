/**
 * Every way to write a moment in ISO 8601 is read as that moment, and nothing else is read at all. The scalar DateTime, as a variable and
 * in a document, compares by the moment, and refuses what is none.
 */
import fc from 'fast-check';
import { describe, expect, it as pure } from 'vitest';
import { parseDateTime } from '../../src/platform/date-time.js';
import { propertyRuns } from '../support/case-counts.js';
import type { Data } from '../support/clients/graphql-client.js';
import { serviceTest } from '../support/fixtures/service.js';
import { addThread } from '../support/threads.js';

const dayMs = 86_400_000;
const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');

/** The week of ISO 8601 that the day is in: the one that has its Thursday. */
function weekOf(day: Date): { year: number; week: number; weekday: number } {
  const weekday = day.getUTCDay() || 7;
  const thursday = new Date(day.getTime() + (4 - weekday) * dayMs);
  const year = thursday.getUTCFullYear();
  return { year, week: Math.floor((thursday.getTime() - startOf(year)) / dayMs / 7) + 1, weekday };
}

function startOf(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

type DateForm = 'calendar' | 'week' | 'ordinal';

function writeDate(day: Date, form: DateForm, dash: '-' | ''): string {
  const year = day.getUTCFullYear();
  if (form === 'calendar') return [pad(year, 4), pad(day.getUTCMonth() + 1), pad(day.getUTCDate())].join(dash);
  if (form === 'ordinal') return [pad(year, 4), pad((day.getTime() - startOf(year)) / dayMs + 1, 3)].join(dash);
  const { year: weekYear, week, weekday } = weekOf(day);
  return [pad(weekYear, 4), `W${pad(week)}`, weekday].join(dash);
}

const unitMs = { hour: 3_600_000, minute: 60_000, second: 1000 };

/** A moment, and one of the texts that name it. */
const written = fc
  .record({
    day: fc.integer({ min: Date.parse('0002-01-01') / dayMs, max: Date.parse('9999-12-30') / dayMs }),
    form: fc.constantFrom<DateForm>('calendar', 'week', 'ordinal'),
    isBasic: fc.boolean(),
    clock: fc.oneof(
      { weight: 9, arbitrary: fc.tuple(fc.nat(23), fc.nat(59), fc.nat(59)) },
      { weight: 1, arbitrary: fc.constant<[number, number, number]>([24, 0, 0]) },
    ),
    smallest: fc.constantFrom('hour', 'minute', 'second'),
    fraction: fc.option(fc.tuple(fc.constantFrom('.', ','), fc.stringMatching(/^[0-9]{1,30}$/)), { nil: null }),
    offset: fc.option(fc.record({ minutes: fc.integer({ min: -1439, max: 1439 }), isShort: fc.boolean() }), {
      nil: null,
    }),
    zulu: fc.constantFrom('Z', ''),
    separator: fc.constantFrom('T', ' '),
    isLower: fc.boolean(),
  })
  .map(({ day, form, isBasic, clock, smallest, fraction, offset, zulu, separator, isLower }) => {
    const [dash, colon] = isBasic ? (['', ''] as const) : (['-', ':'] as const);
    const parts = { hour: 1, minute: 2, second: 3 }[smallest];
    const time = clock.slice(0, parts).map((part) => pad(part));
    const [mark = '', digits = ''] = clock[0] === 24 ? [] : (fraction ?? []);
    const fractionMs = Number((BigInt(digits || 0) * BigInt(unitMs[smallest])) / 10n ** BigInt(digits.length));
    const clockMs = [3_600_000, 60_000, 1000].map((unit, at) => (at < parts ? unit * (clock[at] ?? 0) : 0));
    const { zone, zoneMs } = offset ? writeOffset(offset, colon) : { zone: zulu, zoneMs: 0 };
    const text = `${writeDate(new Date(day * dayMs), form, dash)}${separator}${time.join(colon)}${mark}${digits}${zone}`;
    const moment = new Date(day * dayMs + clockMs.reduce((sum, ms) => sum + ms) + fractionMs - zoneMs);
    return { text: isLower ? text.toLowerCase() : text, moment };
  });

function writeOffset({ minutes, isShort }: { minutes: number; isShort: boolean }, colon: string) {
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = isShort ? 0 : Math.abs(minutes) % 60;
  const sign = minutes < 0 ? '-' : '+';
  const zone = `${sign}${pad(hours)}${isShort ? '' : `${colon}${pad(rest)}`}`;
  return { zone, zoneMs: (minutes < 0 ? -1 : 1) * (hours * 60 + rest) * 60_000 };
}

describe('a date-time', () => {
  pure('is read in every form of ISO 8601, rounded down to a millisecond', () => {
    fc.assert(
      fc.property(written, ({ text, moment }) => {
        expect(parseDateTime(text)?.toISOString(), text).toBe(moment.toISOString());
      }),
      { numRuns: propertyRuns(3000) },
    );
  });

  pure('is read as JavaScript writes it', () => {
    const dates = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') });
    fc.assert(
      fc.property(
        dates.filter((date) => !Number.isNaN(date.getTime())),
        (date) => {
          expect(parseDateTime(date.toISOString())).toEqual(date);
        },
      ),
    );
  });

  pure.each([
    ['2026-11-22', '2026-11-22T00:00:00.000Z'],
    ['20261122', '2026-11-22T00:00:00.000Z'],
    ['2026-11-22T10:00:00−02:00', '2026-11-22T12:00:00.000Z'],
    ['2026-11-22T10:00:00-00:00', '2026-11-22T10:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.999Z'],
    ['2026-11-22T10:00:00.0009Z', '2026-11-22T10:00:00.000Z'],
    ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
    ['0001-01-01T00:00:00+23:59', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, moment) => {
    expect(parseDateTime(text)?.toISOString()).toBe(moment);
  });

  pure.each([
    ...['', 'yesterday', 'infinity', '1795190000', '10:00', 'T10:00', 'P1D', '2026-11-22/2026-11-23'],
    ...['2026', '2026-11', '2026-W47', '2026T10', '0000-01-01T00:00:00Z', '+002026-11-22T10:00:00Z', '-0001-01-01'],
    ...['2026-13-01', '2026-02-30', '2026-02-29', '2026-366', '2026-000', '2026-W54-1', '2026-W00-1', '2026-W47-8'],
    ...['2026-11-22T', '2026-11-22T1', '2026-11-22T25', '2026-11-22T10:60', '2026-11-22T10:00:61', '2026-11-22T10:0'],
    ...['2026-11-22T24:00:01', '2026-11-22T24:00:00.001', '2026-11-22T24,0001', '2026-11-22T10:00:00.', '2026-11-22Z'],
    ...['2026-11-22T10:00:00+24:00', '2026-11-22T10:00:00+02:60', '2026-11-22T10:00:00+2', '2026-11-22T10:00:00 02:00'],
    ...['2026-11-22T10:00:00[Europe/Berlin]', '2026-11-22T10:00:00Z\u0000', ' 2026-11-22', '2026-11-22T10:00:00Z\n'],
    ...['٢٠٢٦-11-22', `2026-11-22T10:00:00.${'0'.repeat(100)}Z`],
  ])('%j is none', (text) => {
    expect(parseDateTime(text)).toBeNull();
  });

  pure('is not found in similar texts, and parsing never throws', () => {
    const almost = fc.stringMatching(/^[0-9TWZ+,.: -]{0,40}$/);
    fc.assert(
      fc.property(fc.oneof(almost, fc.string()), (text) => {
        const moment = parseDateTime(text);
        expect(moment === null || /^(?!0000)\d{4}-/.test(moment.toISOString()), text).toBe(true);
      }),
      { numRuns: propertyRuns(3000) },
    );
  });
});

const it = serviceTest().extend('id', { scope: 'file', auto: true }, ({ service, ada }) =>
  addThread(service, ada, { updatedAt: new Date('2026-03-01T12:00:00.500Z') }),
);

const query =
  'query ($since: DateTime) { threads(filter: {updatedSince: $since}) { edges { node { id updatedAt } } } }';
const literal = (since: string) => `{ threads(filter: {updatedSince: ${since}}) { edges { node { id updatedAt } } } }`;

describe('DateTime', () => {
  it('is written in UTC, with milliseconds', async ({ graphql, id }) => {
    const { threads } = await graphql.data('{ threads { edges { node { id updatedAt } } } }');
    expect(threads.edges).toEqual([{ node: { id, updatedAt: '2026-03-01T12:00:00.500Z' } }]);
  });

  it.for([
    ['2026-03-01T12:00:00.499Z', 1],
    ['2026-03-01T12:00:00.500Z', 0],
    ['2026-03-01T13:00:00.499+01:00', 1],
    ['9999-12-31T23:59:59-23:59', 0],
  ] as const)('takes %s, and compares by it', async ([since, count], { graphql }) => {
    expect((await graphql.data(query, { since })).threads.edges).toHaveLength(count);
    const { threads } = (await graphql.data(literal(`"${since}"`))) as Data<typeof query>;
    expect(threads.edges).toHaveLength(count);
  });

  const wrong = ['yesterday', '2026-02-30T00:00:00Z', 1_772_366_400_000, true, {}];

  it.for(wrong)('refuses %j as a variable, as the caller’s mistake', async (since, { service, graphql }) => {
    const { message, extensions } = await graphql.failure({ query, variables: { since } });
    expect(extensions).toEqual({ code: 'BAD_USER_INPUT' });
    expect(message).toMatch(/^Variable "\$since" got invalid value .*A DateTime must be/);
    expect(service.log.join('')).not.toContain('an operation failed');
  });

  it.for(wrong)('refuses %j in a document, and says where', async (since, { graphql }) => {
    const value = since === Object(since) ? '{}' : JSON.stringify(since);
    const { errors } = (await graphql.run(literal(value))).body;
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' }, locations: [{ line: 1 }] });
    expect(errors?.[0]?.message).toContain('A DateTime must be');
  });
});
