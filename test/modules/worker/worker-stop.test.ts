import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { gate, text, wait } from '../../support/model/model-script.js';
import { startTestService, type TestService } from '../../support/service.js';

const settings = {
  concurrency: 1,
  lease: { leaseMs: 600_000, heartbeatMs: 300_000, pollMs: 200, maxAttempts: 3, deadlineMs: 600_000 },
};

/** A service with one response that runs and one that is queued; `look` reads their rows also after its end. */
async function busyService() {
  const service = await startTestService({ settings });
  const client = new pg.Client({ connectionString: service.storage.url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await endOf(service);
  });
  const ada = await service.person();
  const released = gate();
  service.model.enqueue([text('Hel'), wait(released.passed), text('lo')]);
  await ada.rest.createThread({ text: 'runs' });
  await vi.waitFor(() => expect(service.model.requests).toHaveLength(1), { timeout: 10_000 });
  await ada.rest.createThread({ text: 'waits' });
  const look = async () => {
    const { rows } = await client.query(
      `SELECT t.state, r.status, r.attempt, r.lease_until <= clock_timestamp() AS free
       FROM response r JOIN thread t ON t.id = r.thread_id ORDER BY r.created_at, r.message_id`,
    );
    return rows;
  };
  return { service, look, finish: released.open };
}

/** The service itself has been stopped by the test. */
async function endOf({ model, storage }: TestService): Promise<void> {
  await model.close();
  await storage.drop();
}

const waiting = { state: 'waiting', status: 'queued', attempt: 0, free: null };

describe('worker › stop', () => {
  it('lets running responses finish, and claims no new ones', async () => {
    const { service, look, finish } = await busyService();
    const stopped = service.service.stop(60_000);
    finish();
    await stopped;
    expect(await look()).toEqual([{ state: 'ready', status: 'succeeded', attempt: 1, free: null }, waiting]);
    expect(service.model.requests).toHaveLength(1);
  });

  it('releases at once what does not finish in time, and disconnects from the model', async () => {
    const { service, look } = await busyService();
    const closed = service.model.lastRequest.closed;
    await service.service.stop(0);
    await closed;
    expect(await look()).toEqual([{ state: 'active', status: 'running', attempt: 1, free: true }, waiting]);
  });
});
