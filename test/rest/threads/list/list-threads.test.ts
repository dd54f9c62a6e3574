import { describe, expect } from 'vitest';
import { rememberPosition } from '../../../../src/modules/threads/list/list-position.js';
import type { PageBody, ProblemBody, ThreadBody } from '../../../support/clients/rest-types.js';
import { it as test } from '../../../support/fixtures/service.js';
import type { Person } from '../../../support/service.js';
import {
  addThread,
  addThreads,
  colleagueOf,
  listIds,
  listThreads,
  newcomer,
  personWithThreads,
} from '../../../support/threads.js';

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 17, 29, second));

/** Every combination of owner, privacy and archive that somebody can meet; their names say what they are. */
const stored = [
  { isOwn: true, name: 'own public', isPrivate: false, archived: false, second: 1 },
  { isOwn: true, name: 'own private', isPrivate: true, archived: false, second: 2 },
  { isOwn: true, name: 'own public archived', isPrivate: false, archived: true, second: 3 },
  { isOwn: true, name: 'own private archived', isPrivate: true, archived: true, second: 4 },
  { isOwn: false, name: 'foreign public', isPrivate: false, archived: false, second: 5 },
  { isOwn: false, name: 'foreign private', isPrivate: true, archived: false, second: 6 },
  { isOwn: false, name: 'foreign public archived', isPrivate: false, archived: true, second: 7 },
] as const;

/** `filtering` is somebody who meets them, and `named` gives the names of those that a query lists; `many` has 201 threads. */
const it = test
  .extend('many', { scope: 'file' }, ({ service }) => personWithThreads(service, Array<string>(201).fill('Any')))
  .extend('filtering', { scope: 'file' }, async ({ service }) => {
    const person = await newcomer(service);
    const colleague = await colleagueOf(service, person);
    for (const { isOwn, second, ...seed } of stored) {
      // Created in the reverse order of their updates, so that no order can be taken for another.
      await addThread(service, isOwn ? person : colleague, { ...seed, createdAt: at(-second), updatedAt: at(second) });
    }
    return person;
  })
  .extend(
    'named',
    { scope: 'file' },
    ({ filtering }) =>
      async (query: Parameters<typeof listThreads>[1]) =>
        (await listThreads(filtering.rest, query)).data.map(({ name }) => name),
  );

describe('GET /threads › 200', () => {
  it('returns an envelope of nulls for an empty list', async ({ service }) => {
    const nobody = await newcomer(service);
    const { status, headers, body } = await nobody.rest.get<PageBody<ThreadBody>>('/threads');
    expect(status).toBe(200);
    expect(body).toEqual({ data: [], first_id: null, last_id: null, has_more: false, limit: 50 });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('gives every thread as GET /threads/{thread-id} gives it', async ({ service }) => {
    const ada = await newcomer(service, { name: null });
    await addThreads(service, ada, [
      { name: 'One', isPrivate: true },
      { name: null, state: 'error' },
    ]);
    const { data } = await listThreads(ada.rest);
    const single = data.map(async ({ id }) => (await ada.rest.get<ThreadBody>(`/threads/${id}`)).body);
    expect(data).toEqual(await Promise.all(single));
    expect(data).toHaveLength(2);
  });

  it('names the first and the last thread of the page', async ({ service }) => {
    const ada = await newcomer(service);
    const ids = await addThreads(service, ada, [{ updatedAt: at(3) }, { updatedAt: at(2) }, { updatedAt: at(1) }]);
    const page = await listThreads(ada.rest, { limit: 2 });
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(page).toMatchObject({ first_id: ids[0], last_id: ids[1], has_more: true, limit: 2 });
  });

  it('puts a thread that was sent a message before the others', async ({ service }) => {
    const ada = await newcomer(service);
    const [first = '', second = ''] = await addThreads(service, ada, [{ updatedAt: at(1) }, { updatedAt: at(2) }]);
    expect(await listIds(ada.rest)).toEqual([second, first]);
    await ada.rest.answer(await ada.rest.send(first, 'Hi'));
    expect(await listIds(ada.rest)).toEqual([first, second]);
  });
});

it('commits the position without waiting for the disk', async ({ service, database, ada }) => {
  const viewer = await service.viewerOf(ada);
  const cursor = { position: '2026-11-20 00:00:00+00', id: await addThread(service, ada), pagination: null };
  const order = { field: 'created_at', direction: 'asc' } as const;
  const settings = await database.$transaction(async (transaction) => {
    const setting = () => transaction.$queryRaw`SELECT current_setting('synchronous_commit') AS value`;
    await transaction.$executeRaw`SET LOCAL synchronous_commit = on`;
    const before = await setting();
    await rememberPosition(transaction as typeof database, viewer, { cursor, order, newest: null });
    return [before, await setting()];
  });
  expect(settings).toEqual([[{ value: 'on' }], [{ value: 'off' }]]);
});

interface Wanted extends Partial<Record<'q' | 'updated_since' | 'sort_dir', string>> {
  owned: boolean | undefined;
  private: boolean | undefined;
  archived: boolean | undefined;
}

describe('GET /threads › filters', () => {
  it('accepts owned, private and archived in every combination, with other filters', async ({ named }) => {
    const choices = [undefined, true, false];
    const combinations = choices.flatMap((owned) =>
      choices.flatMap((isPrivate) => choices.map((archived) => ({ owned, private: isPrivate, archived }))),
    );
    const others = [{}, { q: 'private' }, { updated_since: at(2).toISOString(), sort_dir: 'asc' }];
    for (const wanted of combinations.flatMap((some) => others.map((more): Wanted => ({ ...some, ...more })))) {
      const expected = stored
        .filter(({ isOwn, isPrivate }) => isOwn || !isPrivate)
        .filter(({ isOwn }) => wanted.owned === undefined || isOwn === wanted.owned)
        .filter(({ isPrivate }) => wanted.private === undefined || isPrivate === wanted.private)
        .filter(({ archived }) => wanted.archived === true || !archived)
        .filter(({ name }) => wanted.q === undefined || name.includes(wanted.q))
        .filter(({ second }) => wanted.updated_since === undefined || second > 2)
        .map(({ name }) => name);
      if (wanted.sort_dir !== 'asc') expected.reverse();
      const given = Object.entries(wanted).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
      expect(await named(Object.fromEntries(given)), JSON.stringify(wanted)).toEqual(expected);
    }
  });
});

describe('GET /threads › updated_since', () => {
  it('returns only what was updated after the moment, to the millisecond', async ({ named }) => {
    expect(await named({ updated_since: '2026-11-20T17:29:02Z' })).toEqual(['foreign public']);
    expect(await named({ updated_since: '2026-11-20T17:29:01.999Z' })).toEqual(['foreign public', 'own private']);
    expect(await named({ updated_since: '2026-11-20T17:29:02.000999Z' })).toEqual(['foreign public']);
    expect(await named({ updated_since: '2026-11-20T17:29:05.000Z' })).toEqual([]);
  });

  it('compares the update, not the creation', async ({ named }) => {
    expect(await named({ updated_since: '2026-11-20T17:29:04Z', sort_by: 'created_at' })).toEqual(['foreign public']);
  });

  it.for([
    ['an offset', '2026-11-20T19:29:02%2B02:00'],
    ['an offset whose + came as a space', '2026-11-20T19:29:02+02:00'],
    ['a negative offset', '2026-11-20T12:29:02-05:00'],
    ['an offset in hours whose + came as a space', '20261120T192902+02'],
  ] as const)('reads %s', async ([_title, moment], { filtering }) => {
    const { body } = await filtering.rest.get<{ data: { name: string }[] }>(`/threads?updated_since=${moment}`);
    expect(body.data.map(({ name }) => name)).toEqual(['foreign public']);
  });

  it('accepts the updated_at of a thread as returned', async ({ filtering, named }) => {
    const { data } = await listThreads(filtering.rest);
    const middle = data[1]?.updated_at ?? '';
    expect(await named({ updated_since: middle })).toEqual(['foreign public']);
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

async function refusal(ada: Person, query: string) {
  const { status, body } = await ada.rest.get<ProblemBody>(`/threads?${query}`);
  return { status, code: body.code, parameters: body.errors?.map(({ parameter }) => parameter), detail: body.detail };
}

const invalid = (parameter: string, fault: string) => ({
  ...{ status: 400, code: 'invalid_request', parameters: [parameter], detail: `${parameter}: ${fault}` },
});

describe('GET /threads › limit', () => {
  it('is 50 by default', async ({ many }) => {
    const page = await listThreads(many.rest);
    expect([page.limit, page.data.length, page.has_more]).toEqual([50, 50, true]);
  });

  it.for([1, 49, 200])('applies and reports %i', async (limit, { many }) => {
    const page = await listThreads(many.rest, { limit });
    expect([page.limit, page.data.length, page.has_more]).toEqual([limit, limit, true]);
  });

  it.for(['201', '9999999999', `1${'0'.repeat(30)}`, '9'.repeat(400)])('clamps %s to 200', async (limit, { many }) => {
    const { status, body } = await many.rest.get<PageBody<ThreadBody>>(`/threads?limit=${limit}`);
    expect([status, body.limit, body.data?.length, body.has_more]).toEqual([200, 200, 200, true]);
  });

  it('takes leading zeros', async ({ many }) => {
    const { status, body } = await many.rest.get<PageBody<ThreadBody>>(`/threads?limit=${'0'.repeat(20)}50`);
    expect([status, body.limit, body.data?.length]).toEqual([200, 50, 50]);
  });

  it.for(['0', `-1${'0'.repeat(30)}`, '-1', '0'.repeat(30), '-0'])('refuses %s: too small', async (value, { many }) => {
    expect(await refusal(many, `limit=${value}`)).toEqual(invalid('limit', 'must be at least 1'));
  });

  it.for(['1e2', '0x10', 'NaN', '', '+5', '%2B5', '5.0', '٣'])('refuses "%s": not whole', async (value, { many }) => {
    expect(await refusal(many, `limit=${value}`)).toEqual(invalid('limit', 'must be a whole number'));
  });
});

describe('GET /threads › 400', () => {
  it.for(['owned', 'private', 'archived'])('takes %s as true or false, and nothing else', async (name, { ada }) => {
    for (const value of ['True', 'FALSE', '1', '0', 'yes', '', 'null', '%20true']) {
      expect(await refusal(ada, `${name}=${value}`)).toEqual(invalid(name, 'must be true or false'));
    }
  });

  it.for([
    ['sort_by', 'must be one of updated_at, created_at', ['name', 'UPDATED_AT', '']],
    ['sort_dir', 'must be one of asc, desc', ['DESC', 'down', '']],
    ['q', 'must be at most 500 characters long', ['x'.repeat(501)]],
    ['q', 'must not contain U+0000 or unpaired surrogates', ['%00']],
    [
      'updated_since',
      'must be an ISO 8601 date-time such as 2026-11-20T17:29:00Z',
      ['', 'yesterday', '2026-02-30T00:00:00Z'],
    ],
  ] as const)('says of %s: %s', async ([name, fault, values], { ada }) => {
    for (const value of values) expect(await refusal(ada, `${name}=${value}`)).toEqual(invalid(name, fault));
  });

  it.for('owned private archived q sort_by sort_dir updated_since limit after'.split(' '))(
    'refuses %s twice',
    async (name, { ada }) => {
      expect(await refusal(ada, `${name}=true&${name}=true`)).toEqual(invalid(name, 'must be given once'));
    },
  );

  it('takes a search of 500 characters outside of the basic plane', async ({ ada }) => {
    expect((await ada.rest.get(`/threads?q=${encodeURIComponent('🎉'.repeat(500))}`)).status).toBe(200);
  });
});
