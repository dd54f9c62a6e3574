import { describe, expect } from 'vitest';
import { serviceTest } from '../../../support/fixtures/service.js';
import type { Person } from '../../../support/service.js';
import { addThreads, listIds, listThreads } from '../../../support/threads.js';

/** Every combination of owner, privacy and archive that Ada can meet; their names say what they are. */
const stored = [
  { by: 'ada', name: 'own public', isPrivate: false, archived: false, second: 1 },
  { by: 'ada', name: 'own private', isPrivate: true, archived: false, second: 2 },
  { by: 'ada', name: 'own public archived', isPrivate: false, archived: true, second: 3 },
  { by: 'ada', name: 'own private archived', isPrivate: true, archived: true, second: 4 },
  { by: 'bob', name: 'foreign public', isPrivate: false, archived: false, second: 5 },
  { by: 'bob', name: 'foreign private', isPrivate: true, archived: false, second: 6 },
  { by: 'bob', name: 'foreign public archived', isPrivate: false, archived: true, second: 7 },
] as const;

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 17, 29, second));
const isVisible = ({ by, isPrivate }: (typeof stored)[number]) => by === 'ada' || !isPrivate;

const it = serviceTest().extend('named', { scope: 'file', auto: true }, async ({ service, ada, bob }) => {
  const entries = stored.map(async ({ by, second, ...seed }): Promise<[string, string]> => {
    // Created in the reverse order of their updates, so that no order can be taken for another.
    const times = { createdAt: at(-second), updatedAt: at(second) };
    const [id = ''] = await addThreads(service, by === 'ada' ? ada : bob, [{ ...seed, ...times }]);
    return [id, seed.name];
  });
  return new Map(await Promise.all(entries));
});

async function names(
  ada: Person,
  named: Map<string, string>,
  query: Record<string, string | number | boolean>,
): Promise<(string | undefined)[]> {
  return (await listIds(ada.rest, query)).map((id) => named.get(id));
}

interface Wanted extends Partial<Record<'q' | 'updated_since' | 'sort_dir', string>> {
  owned: boolean | undefined;
  private: boolean | undefined;
  archived: boolean | undefined;
}

describe('GET /threads › filters', () => {
  it('accepts owned, private and archived in every combination, with other filters', async ({ ada, named }) => {
    const choices = [undefined, true, false];
    const combinations = choices.flatMap((owned) =>
      choices.flatMap((isPrivate) => choices.map((archived) => ({ owned, private: isPrivate, archived }))),
    );
    const others = [{}, { q: 'private' }, { updated_since: at(2).toISOString(), sort_dir: 'asc' }];
    for (const wanted of combinations.flatMap((some) => others.map((more): Wanted => ({ ...some, ...more })))) {
      const expected = stored
        .filter(isVisible)
        .filter(({ by }) => wanted.owned === undefined || (by === 'ada') === wanted.owned)
        .filter(({ isPrivate }) => wanted.private === undefined || isPrivate === wanted.private)
        .filter(({ archived }) => wanted.archived === true || !archived)
        .filter(({ name }) => wanted.q === undefined || name.includes(wanted.q))
        .filter(({ second }) => wanted.updated_since === undefined || second > 2)
        .map(({ name }) => name);
      if (wanted.sort_dir !== 'asc') expected.reverse();
      const given = Object.entries(wanted).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
      expect(await names(ada, named, Object.fromEntries(given)), JSON.stringify(wanted)).toEqual(expected);
    }
  });
});

describe('GET /threads › updated_since', () => {
  it('returns only what was updated after the moment, to the millisecond', async ({ ada, named }) => {
    expect(await names(ada, named, { updated_since: '2026-11-20T17:29:02Z' })).toEqual(['foreign public']);
    expect(await names(ada, named, { updated_since: '2026-11-20T17:29:01.999Z' })).toEqual([
      'foreign public',
      'own private',
    ]);
    expect(await names(ada, named, { updated_since: '2026-11-20T17:29:02.000999Z' })).toEqual(['foreign public']);
    expect(await names(ada, named, { updated_since: '2026-11-20T17:29:05.000Z' })).toEqual([]);
  });

  it('compares the update, not the creation', async ({ ada, named }) => {
    expect(await names(ada, named, { updated_since: '2026-11-20T17:29:04Z', sort_by: 'created_at' })).toEqual([
      'foreign public',
    ]);
  });

  it.for([
    ['an offset', '2026-11-20T19:29:02%2B02:00'],
    ['an offset whose + came as a space', '2026-11-20T19:29:02+02:00'],
    ['a negative offset', '2026-11-20T12:29:02-05:00'],
    ['an offset in hours whose + came as a space', '20261120T192902+02'],
  ] as const)('reads %s', async ([_title, moment], { ada }) => {
    const { body } = await ada.rest.get<{ data: { name: string }[] }>(`/threads?updated_since=${moment}`);
    expect(body.data.map(({ name }) => name)).toEqual(['foreign public']);
  });

  it('accepts the updated_at of a thread as returned', async ({ ada, named }) => {
    const { data } = await listThreads(ada.rest);
    const middle = data[1]?.updated_at ?? '';
    expect(await names(ada, named, { updated_since: middle })).toEqual(['foreign public']);
  });

  it.for([
    ['0001-01-01T00:00:00+23:59', 200],
    ['0000-01-01T00:00:00Z', 400],
    ['9999-12-31T23:59:59-23:59', 200],
  ] as const)('is no defect of the service at the end of the calendar (%s)', async ([moment, expected], { ada }) => {
    const { status } = await ada.rest.get(`/threads?updated_since=${moment}`);
    expect(status).toBe(expected);
  });
});
