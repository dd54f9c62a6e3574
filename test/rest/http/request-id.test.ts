import { describe, expect, vi } from 'vitest';
import { it } from '../../support/fixtures/service.js';
import type { TestService } from '../../support/service.js';

describe('X-Request-Id', () => {
  const ask = async (service: TestService, id?: string) => {
    const { headers, body } = await service
      .client()
      .get('/me', id === undefined ? {} : { headers: { 'x-request-id': id } });
    return { header: headers.get('x-request-id'), body: body.request_id };
  };

  it.for(['a', 'Trace-1.2_3', 'x'.repeat(128)])('repeats the acceptable id "%s"', async (id, { service }) => {
    expect(await ask(service, id)).toEqual({ header: id, body: id });
  });

  it.for(['', 'x'.repeat(129), 'two words', 'a/b', 'a,b', 'é', '"quoted"', '<b>'])(
    'replaces the id "%s"',
    async (id, { service }) => {
      const { header, body } = await ask(service, id);
      expect(header).toMatch(/^[0-9a-f-]{36}$/);
      expect(body).toBe(header);
    },
  );

  it('is new for each request, and finds the line of the log', async ({ service }) => {
    const ids = [await ask(service), await ask(service)].map(({ header }) => header);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) {
      const lines = () => service.log.filter((line) => line.includes(`"requestId":"${id}"`));
      // It is written when the answer has left.
      await vi.waitFor(() => expect(lines()).not.toEqual([]), { timeout: 10_000 });
      expect(lines().map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ method: 'GET', path: '/api/v1/me', status: 401 }),
      ]);
    }
  });
});
