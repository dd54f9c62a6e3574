/**
 * Requests that are slow, and so many that each connection of their node is taken and more wait for one. The leases of its
 * responses must not wait with them: otherwise a node that is merely busy would lose its runs to another.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gate, text, wait } from '../support/model-script.js';
import { runSql } from '../support/server.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { joinTokens } from '../support/sse.js';
import { newcomer } from '../support/threads.js';

/** Less than those who wait for a lock are held up, after which a heartbeat would have its turn. */
const lease = { leaseMs: 2000, heartbeatMs: 400, pollMs: 200, maxAttempts: 3, deadlineMs: 60_000 };
/** Of each of two users: more than the share of an organization, and together more than all that there is. */
const requests = 30;

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await startTestService({ settings: { lease }, environment: { OPERATIONS_PER_USER: '60' } });
  ada = await service.person();
});
afterAll(() => service.stop());

/** Somebody else's transaction, which has the table of ratings for itself. */
async function lockRatings(): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: service.storage.url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE feedback IN ACCESS EXCLUSIVE MODE');
  return { release: () => client.end() };
}

const waitingForLock =
  "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

describe('a node whose connections are all taken by slow requests', () => {
  it('keeps the leases of its responses, whose viewers notice nothing', async () => {
    const people = [ada, await newcomer(service)];
    const rated = await Promise.all(
      people.map(async ({ rest }) => (await rest.answer(await rest.createThread({ text: 'Hi' })))[0]),
    );
    const rest = gate();
    service.model.enqueue([text('Hel'), wait(rest.passed), text('lo')]);
    const sent = await ada.rest.createThread({ text: 'Go on' });
    const stream = await ada.rest.stream(sent);
    const seen = [(await stream.next()).value];
    await service.addNode();

    const lock = await lockRatings();
    const ratings = people.flatMap((person, index) => {
      const path = `/threads/${rated[index]?.thread_id}/messages/${rated[index]?.id}/feedback`;
      return Array.from({ length: requests }, () => person.rest.post(path, { positive: true }));
    });
    const areAllWaiting = async () =>
      expect(await runSql(service.storage.url, waitingForLock)).toEqual([{ count: 20 }]);
    await vi.waitFor(areAllWaiting, { timeout: 10_000 });
    await sleep(lease.leaseMs + 5 * lease.pollMs);
    await lock.release();
    for (const { status } of await Promise.all(ratings)) expect([204, 503]).toContain(status);

    rest.open();
    for await (const event of stream) seen.push(event);
    const { attempt } = await service.service.database.response.findUniqueOrThrow({
      where: { messageId: sent.messageId },
    });
    expect({ attempt, end: seen.at(-1)?.event, text: joinTokens(seen) }).toEqual({
      attempt: 1,
      end: 'done',
      text: 'Hello',
    });
  });
});
