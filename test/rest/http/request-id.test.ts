import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe('X-Request-Id', () => {
  const ask = async (id?: string) => {
    const { headers, body } = await service
      .client()
      .get('/me', id === undefined ? {} : { headers: { 'x-request-id': id } });
    return { header: headers.get('x-request-id'), body: body.request_id };
  };

  it.each(['a', 'Trace-1.2_3', 'x'.repeat(128)])('repeats the acceptable id "%s"', async (id) => {
    expect(await ask(id)).toEqual({ header: id, body: id });
  });

  it.each(['', 'x'.repeat(129), 'two words', 'a/b', 'a,b', 'é', '"quoted"', '<b>'])(
    'replaces the id "%s"',
    async (id) => {
      const { header, body } = await ask(id);
      expect(header).toMatch(/^[0-9a-f-]{36}$/);
      expect(body).toBe(header);
    },
  );

  it('is new for each request, and finds the line of the log', async () => {
    const ids = [await ask(), await ask()].map(({ header }) => header);
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
