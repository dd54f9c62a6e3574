/** A database that goes away: callers are told to come back, and nothing has to be started again. */

import { describe, expect } from 'vitest';
import { alterDatabase, cutOff } from '../support/database/cut-off.js';
import { waitsForLock } from '../support/database/waiting-statements.js';
import { serviceTest } from '../support/fixtures/service.js';
import { addThread } from '../support/threads.js';
import { idleWorker } from './limits/statement-log.js';

/** For a transaction that holds a lock until others wait for it; Prisma's own limits are for transactions that work. */
const holding = { timeout: 10_000, maxWait: 10_000 };

// A worker would wait for the same locks, and be cut off in the place of a caller.
const it = serviceTest({ settings: idleWorker }).extend('threadId', { scope: 'file', auto: true }, ({ service, ada }) =>
  addThread(service, ada),
);

const unavailable =
  'The service is temporarily unavailable. If you asked for a change, check whether it was made, then try again.';

describe('a database that is gone', () => {
  it('is 503 and UNAVAILABLE over both APIs until it is back, without a restart', async ({ service, ada, graphql }) => {
    const bringBack = await cutOff(service.storage.url);
    try {
      for (let n = 0; n < 3; n += 1) {
        const { status, headers, body } = await graphql.run('{ me { sub } }');
        expect(body).toEqual({ errors: [{ message: unavailable, extensions: { code: 'UNAVAILABLE' } }] });
        expect([status, headers.get('retry-after')]).toEqual([503, '1']);
        const rest = await ada.rest.get('/me');
        expect([rest.status, rest.body.code, rest.headers.get('retry-after')]).toEqual([
          503,
          'service_unavailable',
          '1',
        ]);
      }
    } finally {
      await bringBack();
    }
    expect(await graphql.data('{ me { sub } }')).toEqual({ me: { sub: ada.id } });
    expect((await ada.rest.get('/me')).status).toBe(200);
  });

  it('is not ready from the first write that it refuses as read-only until it takes writes', async ({
    service,
    ada,
  }) => {
    const post = async () => (await ada.rest.post('/threads', { text: 'Hi' })).status;
    const ready = async () => (await fetch(`${service.url}/readyz`)).status;
    await alterDatabase(service.storage.url, 'SET default_transaction_read_only = on');
    try {
      await expect.poll(async () => [await post(), await ready()]).toEqual([503, 503]);
      expect(await ready()).toBe(503);
    } finally {
      await alterDatabase(service.storage.url, 'RESET default_transaction_read_only');
    }
    await expect.poll(ready).toBe(200);
    expect(await post()).toBe(201);
    const said = service.log.filter((line) => /the database is read-only|takes writes again"/.test(line));
    expect(said).toHaveLength(2);
  });

  it('is UNAVAILABLE if it disappears while an operation runs', async ({ service, ada, graphql, threadId }) => {
    const holder = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waitsForLock}`;
    const reply = await service.database.$transaction(async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE thread IN ACCESS EXCLUSIVE MODE`;
      const asked = graphql.run({
        query: 'query ($id: ID!) { me { sub } thread(id: $id) { id } }',
        variables: { id: threadId },
      });
      for (;;) if ((await service.sql(holder)).length > 0) return asked;
    }, holding);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      data: { me: { sub: ada.id }, thread: null },
      errors: [{ message: unavailable, path: ['thread'], extensions: { code: 'UNAVAILABLE' } }],
    });
  });
});
