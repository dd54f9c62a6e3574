import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { waitingStatements } from '../../support/database/waiting-statements.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { patientStatements, startTestService, type TestService } from '../../support/service.js';

const settings = {
  concurrency: 1,
  statementLimits: patientStatements,
  lease: { leaseMs: 600_000, heartbeatMs: 300_000, pollMs: 200, maxAttempts: 3, deadlineMs: 600_000 },
};

const patience = { timeout: 10_000 };

/** A service; `look` reads the rows of its responses also after its end. */
async function idleService() {
  const service = await startTestService({ settings });
  const client = new pg.Client({ connectionString: service.storage.url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await endOf(service);
  });
  const look = async () => {
    const { rows } = await client.query(
      `SELECT t.state, r.status, r.attempt, r.lease_until <= clock_timestamp() AS free
       FROM response r JOIN thread t ON t.id = r.thread_id ORDER BY r.created_at, r.message_id`,
    );
    return rows;
  };
  return { service, client, look };
}

/** The same with one response that runs and one that is queued. */
async function busyService() {
  const { service, look } = await idleService();
  const ada = await service.person();
  const released = gate();
  service.model.enqueue([text('Hel'), wait(released.passed), text('lo')]);
  await ada.rest.createThread({ text: 'runs' });
  await vi.waitFor(() => expect(service.model.requests).toHaveLength(1), patience);
  await ada.rest.createThread({ text: 'waits' });
  return { service, look, finish: released.open };
}

/** The same with a message whose statement waits for a lock until `commit`. */
async function sendingService() {
  const { service, client, look } = await idleService();
  const ada = await service.person();
  await client.query('BEGIN; LOCK TABLE message IN EXCLUSIVE MODE');
  const sending = ada.rest.createThread({ text: 'late' });
  await vi.waitFor(async () => {
    expect(await waitingStatements(service.database, 'WITH moment')).toBe(1);
  }, patience);
  return { service, look, sending, commit: () => client.query('COMMIT') };
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

  it('lets a response finish that the statement of its message claims meanwhile', async () => {
    const { service, look, sending, commit } = await sendingService();
    service.model.enqueue([text('in time')]);
    const stopped = service.service.stop(60_000);
    expect(service.service.ending).toBe('the worker');
    await commit();
    await sending;
    await stopped;
    expect(await look()).toEqual([{ state: 'ready', status: 'succeeded', attempt: 1, free: null }]);
  });

  it('releases at once a response that the statement of its message claims meanwhile, without time, and asks no model', async () => {
    const { service, look, sending, commit } = await sendingService();
    const stopped = service.service.stop(0);
    await vi.waitFor(() => expect(service.service.ending).toBe('the HTTP server'), patience);
    await commit();
    expect(await sending).toMatchObject({ messageId: expect.stringMatching(/^msg_/) });
    await stopped;
    expect(await look()).toEqual([{ state: 'active', status: 'running', attempt: 1, free: true }]);
    expect(service.model.requests).toHaveLength(0);
  });
});
