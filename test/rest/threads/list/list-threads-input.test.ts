import { describe, expect } from 'vitest';
import type { PageBody, ProblemBody, ThreadBody } from '../../../support/clients/rest-types.js';
import { it } from '../../../support/fixtures/service.js';
import type { Person } from '../../../support/service.js';
import { addThreads, listThreads } from '../../../support/threads.js';

async function refusal(ada: Person, query: string) {
  const { status, body } = await ada.rest.get<ProblemBody>(`/threads?${query}`);
  return { status, code: body.code, parameters: body.errors?.map(({ parameter }) => parameter), detail: body.detail };
}

const invalid = (parameter: string, fault: string) => ({
  ...{ status: 400, code: 'invalid_request', parameters: [parameter], detail: `${parameter}: ${fault}` },
});

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

  it.for(['0', `-1${'0'.repeat(30)}`, '-1', '0'.repeat(30), '-0'])('refuses %s: too small', async (value, { ada }) => {
    expect(await refusal(ada, `limit=${value}`)).toEqual(invalid('limit', 'must be at least 1'));
  });

  it.for(['1e2', '0x10', 'NaN', '', '+5', '%2B5', '5.0', '٣'])('refuses "%s": not whole', async (value, { ada }) => {
    expect(await refusal(ada, `limit=${value}`)).toEqual(invalid('limit', 'must be a whole number'));
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
