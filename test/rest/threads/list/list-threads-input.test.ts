import { describe, expect } from 'vitest';
import type { PageBody, ProblemBody, ThreadBody } from '../../../support/clients/rest-types.js';
import { it } from '../../../support/fixtures/service.js';
import type { Person } from '../../../support/service.js';
import { addThreads, listThreads } from '../../../support/threads.js';

async function refusal(ada: Person, query: string) {
  const { status, body } = await ada.rest.get<ProblemBody>(`/threads?${query}`);
  return { status, code: body.code, parameters: body.errors?.map(({ parameter }) => parameter) };
}

const invalid = (...parameters: string[]) => ({ status: 400, code: 'invalid_request', parameters });

describe('GET /threads › limit', () => {
  it.beforeAll(({ service, ada }) => addThreads(service, ada, Array(201).fill({})));

  it('is 50 by default', async ({ ada }) => {
    const page = await listThreads(ada.rest);
    expect([page.limit, page.data.length, page.has_more]).toEqual([50, 50, true]);
  });

  it.for([1, 49, 200])('applies and reports %i', async (limit, { ada }) => {
    const page = await listThreads(ada.rest, { limit });
    expect([page.limit, page.data.length, page.has_more]).toEqual([limit, limit, true]);
  });

  it.for(['201', '9999999999', `1${'0'.repeat(30)}`, '9'.repeat(400)])('clamps %s to 200', async (limit, { ada }) => {
    const { status, body } = await ada.rest.get<PageBody<ThreadBody>>(`/threads?limit=${limit}`);
    expect([status, body.limit, body.data?.length, body.has_more]).toEqual([200, 200, 200, true]);
  });

  it('takes leading zeros', async ({ ada }) => {
    const { status, body } = await ada.rest.get<PageBody<ThreadBody>>(`/threads?limit=${'0'.repeat(20)}50`);
    expect([status, body.limit, body.data?.length]).toEqual([200, 50, 50]);
  });

  it.for([
    ['0'],
    ['-1'],
    ['1e2'],
    ['0x10'],
    ['NaN'],
    [''],
    ['+5'],
    ['%2B5'],
    ['5.0'],
    [`-1${'0'.repeat(30)}`],
    ['0'.repeat(30)],
    ['-0'],
    ['٣'],
  ] as const)('refuses "%s"', async ([value], { ada }) => {
    expect(await refusal(ada, `limit=${value}`)).toEqual(invalid('limit'));
  });
});

describe('GET /threads › 400', () => {
  const booleans = ['owned', 'private', 'archived'].flatMap((name) =>
    ['True', 'FALSE', '1', '0', 'yes', '', 'null', '%20true'].map((value) => [name, value] as const),
  );
  it.for(booleans)('refuses %s=%s', async ([name, value], { ada }) => {
    expect(await refusal(ada, `${name}=${value}`)).toEqual(invalid(name));
  });

  it.for([
    ['sort_by', 'name'],
    ['sort_by', 'UPDATED_AT'],
    ['sort_by', ''],
    ['sort_dir', 'DESC'],
    ['sort_dir', 'down'],
    ['sort_dir', ''],
    ['q', 'x'.repeat(501)],
    ['q', '%00'],
    ['updated_since', ''],
    ['updated_since', 'yesterday'],
    ['updated_since', '2026-02-30T00:00:00Z'],
  ] as const)('refuses %s=%s', async ([name, value], { ada }) => {
    expect(await refusal(ada, `${name}=${value}`)).toEqual(invalid(name));
  });

  it.for(['owned', 'private', 'archived', 'q', 'sort_by', 'sort_dir', 'updated_since', 'limit', 'after'])(
    'refuses %s where it is given twice',
    async (name, { ada }) => {
      expect(await refusal(ada, `${name}=true&${name}=true`)).toEqual(invalid(name));
    },
  );

  it('names every parameter at fault', async ({ ada }) => {
    const { status, parameters } = await refusal(ada, 'owned=1&limit=0&sort_by=x&updated_since=now');
    expect(status).toBe(400);
    expect(parameters?.sort()).toEqual(['limit', 'owned', 'sort_by', 'updated_since']);
  });

  it('takes a search of 500 characters outside of the basic plane', async ({ ada }) => {
    expect((await ada.rest.get(`/threads?q=${encodeURIComponent('🎉'.repeat(500))}`)).status).toBe(200);
  });
});
