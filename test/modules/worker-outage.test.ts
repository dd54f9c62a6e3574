import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gate, text, wait } from '../support/model-script.js';
import { runSql } from '../support/server.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { collectEvents } from './collect-events.js';
import { rowOf, shown, textsOf } from './response-facts.js';

let service: TestService;
let ada: Person;
let observer: pg.Client;
beforeAll(async () => {
  const lease = { leaseMs: 1000, heartbeatMs: 100, pollMs: 100, maxAttempts: 3, deadlineMs: 60_000 };
  service = await startTestService({ settings: { lease } });
  ada = await service.person();
  observer = new pg.Client({ connectionString: service.storage.url });
  await observer.connect();
});
afterAll(async () => {
  await observer.end();
  await service.stop();
});

/** Cuts every connection to the database but the observer's, and refuses new ones until the returned function is called. */
async function cutDatabase(): Promise<() => Promise<void>> {
  const { rows } = await observer.query('SELECT pg_backend_pid() AS pid, current_database() AS name');
  const { pid, name } = rows[0];
  const url = new URL(service.storage.url);
  url.pathname = '/postgres';
  await runSql(
    url.href,
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> ${pid}`,
  );
  return async () => {
    await runSql(url.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  };
}

describe('worker › a database that is away for longer than a lease', () => {
  it('costs a running response nothing: no attempt, no text, no viewer', async () => {
    const released = gate();
    service.model.enqueue([text('Hel'), wait(released.passed), text('lo')]);
    const requests = service.model.requests.length;
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const viewer = await ada.rest.stream(sent);
    await viewer.next();
    const bringBack = await cutDatabase();
    await vi.waitFor(
      async () => {
        const { rows } = await observer.query(
          "SELECT lease_until < clock_timestamp() - interval '300 ms' AS over FROM response WHERE message_id = $1",
          [sent.messageId],
        );
        expect(rows).toEqual([{ over: true }]);
      },
      { timeout: 10_000 },
    );
    released.open();
    await vi.waitFor(() => expect(service.log.some((line) => line.includes('did not answer a run'))).toBe(true), {
      timeout: 10_000,
    });
    await bringBack();
    expect(shown(await collectEvents(viewer))).toEqual([['token', 'lo'], ['done']]);
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: Hello']);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'succeeded', attempt: 1, epoch: 1 });
    expect(service.model.requests.length - requests).toBe(1);
  });
});
