/** When the worker takes responses, when it gives them up, and how it stops. */
import pg from 'pg';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../../src/config.js';
import { createId } from '../../../src/ids.js';
import { settle } from '../../../src/modules/responses/protocol/settle.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { holding, waitingStatements } from '../../support/database/waiting-statements.js';
import { serviceTest, it as usual } from '../../support/fixtures/service.js';
import { breakConnection, gate, text, wait } from '../../support/model/model-script.js';
import { type Person, patientStatements, startTestService, type TestService } from '../../support/service.js';
import { collectEvents } from '../viewing/collect-events.js';
import { rowOf, shown, stateOf, textsOf } from '../viewing/response-facts.js';

const patience = { timeout: 10_000 };

// Polling is off in effect: whatever moves here was woken.
const lease = { leaseMs: 600_000, heartbeatMs: 300_000, pollMs: 300_000, maxAttempts: 3, deadlineMs: 600_000 };
const it = serviceTest({ settings: { concurrency: 2, lease, statementLimits: patientStatements } });

/** Lets the model hold so many answers, each until its gate opens; counts anew how often it is asked. */
function hold({ model }: TestService, count: number) {
  const gates = Array.from({ length: count }, gate);
  model.requests.length = 0;
  model.enqueue(...gates.map(({ passed }, index) => [wait(passed), text(`${index}`)]));
  const asked = (times: number) => vi.waitFor(() => expect(model.requests).toHaveLength(times), patience);
  const openAll = () => gates.forEach(({ open }) => void open());
  return { gates, asked, openAll };
}

describe('worker › slots', () => {
  it('runs no more responses than it has slots, and fills a free slot at once', async ({ service, ada }) => {
    const { gates, asked } = hold(service, 6);
    const sent = [];
    for (const [index] of gates.entries()) {
      sent.push(await ada.rest.createThread({ text: `message ${index}` }));
      if (index < 2) await asked(index + 1);
    }
    for (const [index, { open }] of gates.entries()) {
      expect(service.model.requests).toHaveLength(Math.min(6, index + 2));
      open();
      const [message] = await ada.rest.answer(sent[index] ?? expect.fail('not sent'));
      expect(message?.contents).toEqual([{ type: 'text', text: `${index}` }]);
      await asked(Math.min(6, index + 3));
    }
    const said = service.model.requests.map(({ body }) => body.messages.at(-1)?.content);
    expect(said).toEqual(gates.map((_, index) => `message ${index}`));
  });

  it('takes back the slot of a message that is refused', async ({ service, ada }) => {
    const { asked, openAll } = hold(service, 2);
    const first = await ada.rest.createThread({ text: 'a' });
    for (let count = 0; count < 3; count += 1) {
      const { status } = await ada.rest.post(`/threads/${first.threadId}/messages`, { text: 'too early' });
      expect(status).toBe(409);
    }
    const second = await ada.rest.createThread({ text: 'b' });
    await asked(2);
    openAll();
    for (const sent of [first, second]) await ada.rest.answer(sent);
  });

  it('gives the free one to one of two messages at once, and the next to the other', async ({ service, ada }) => {
    const { database } = service;
    const { gates, asked, openAll } = hold(service, 3);
    const first = await ada.rest.createThread({ text: 'a' });
    const rivals = await database.$transaction(async (other) => {
      await other.$executeRaw`LOCK TABLE message IN EXCLUSIVE MODE`;
      const sending = ['b', 'c'].map((said) => ada.rest.createThread({ text: said }));
      await expect.poll(() => waitingStatements(database, 'WITH moment')).toBe(2);
      return { sending };
    }, holding);
    const sent = await Promise.all(rivals.sending);
    // Where the one without a slot is stored first, the other must not pass it by, and the worker fills the slot a moment later.
    await vi.waitFor(async () => {
      const rows = await database.response.findMany({
        where: { messageId: { in: sent.map(({ messageId }) => messageId) } },
        orderBy: { status: 'asc' },
      });
      expect(rows.map(({ status, attempt }) => [status, attempt])).toEqual([
        ['queued', 0],
        ['running', 1],
      ]);
    }, patience);
    await asked(2);
    gates[0]?.open();
    await ada.rest.answer(first);
    await asked(3);
    openAll();
    for (const one of sent) await ada.rest.answer(one);
  });
});

const { databaseConnections: poolSize } = readConfig({});

/** A conversation. What the service does in the background may wait for the table too. */
const reading = 'SELECT sequence, role';

it('the conversations of responses that begin together are read four at a time, which leaves connections to requests', async ({
  startService,
}) => {
  const settings = { statementLimits: patientStatements };
  const service = await startService({ settings, environment: { ROLE: 'api' } });
  const ada = await service.person();
  const sent: Sent[] = [];
  while (sent.length <= poolSize) sent.push(await ada.rest.createThread({ text: 'hi' }));
  const client = new pg.Client({ connectionString: service.storage.url });
  await client.connect();
  try {
    await client.query('BEGIN; LOCK TABLE message IN ACCESS EXCLUSIVE MODE');
    const { database } = service;
    const worker = await service.addNode({ ROLE: 'all' });
    await expect.poll(() => waitingStatements(database, reading)).toBe(4);
    const there = service.clientOf(worker, ada.token);
    const replies = await Promise.all(Array.from({ length: 20 }, () => there.get('/me')));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(await waitingStatements(database, reading)).toBe(4);
  } finally {
    await client.end();
  }
  for (const one of sent) await ada.rest.answer(one);
});

/** What a takeover by another process does; its lease is long, so that nobody takes the response over again. */
async function takeElsewhere(service: TestService, { threadId, messageId }: Sent): Promise<void> {
  await service.database.$queryRaw`
    WITH taken AS (UPDATE thread SET epoch = epoch + 1 WHERE id = ${threadId} RETURNING epoch)
    UPDATE response SET epoch = taken.epoch, attempt = attempt + 1, worker_id = 'elsewhere',
      lease_until = clock_timestamp() + interval '1 hour'
    FROM taken WHERE message_id = ${messageId} RETURNING pg_notify('response_changed', message_id)::text`;
}

/** The other process ends the response. */
async function finishElsewhere({ service }: TestService, sent: Sent): Promise<boolean> {
  const { isStored } = await settle(service.database, {
    run: {
      ...sent,
      epoch: 2,
      attempt: 2,
      deadlineMs: Number.POSITIVE_INFINITY,
      isStopRequested: false,
      acceptedMs: 0,
      traceparent: null,
      chosenModel: null,
      callsBefore: 0,
      payer: { organizationId: 1, userId: 'usr_1', tokenId: null, hasBudgets: false },
    },
    outcome: { status: 'succeeded' },
    answer: { id: createId('msg'), contents: [{ type: 'text', text: 'From elsewhere' }] },
    usage: { model: 'x', inputTokens: null, outputTokens: null },
  });
  return isStored;
}

/** A response with the text "Hel", whose model sends "lo" when told to. */
async function begun(service: TestService, { rest }: Person) {
  const released = gate();
  service.model.enqueue([text('Hel'), wait(released.passed), text('lo')]);
  const sent = await rest.createThread({ text: 'Hi' });
  const viewer = await rest.stream(sent);
  await viewer.next();
  return { sent, viewer, finish: released.open };
}

describe('worker › a run that another worker has reclaimed', () => {
  usual('is abandoned within a heartbeat, and disconnected from the model', async ({ service, ada }) => {
    const { sent, viewer } = await begun(service, ada);
    await takeElsewhere(service, sent);
    await service.model.lastRequest.closed;
    await expect.poll(() => service.log.some((line) => line.includes('response abandoned'))).toBe(true);
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi']);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'running', attempt: 2, epoch: 2 });
    expect(await finishElsewhere(service, sent)).toBe(true);
    expect(shown(await collectEvents(viewer))).toEqual([['error', expect.stringContaining('starts over')]]);
    expect(shown(await ada.rest.streamToEnd(sent))).toEqual([['token', 'From elsewhere'], ['done']]);
    expect(service.service.tokenLog.stats()).toMatchObject({ running: 0, readers: 0 });
  });
});

describe('worker › a zombie, which has not noticed that its run is lost', () => {
  // Nor overwrite an outcome that was stored meanwhile: `settle` in `test/modules/protocol/protocol.test.ts`.
  it('cannot end the response: its text is dropped', async ({ service, ada }) => {
    const { sent, finish } = await begun(service, ada);
    await takeElsewhere(service, sent);
    finish();
    await expect.poll(() => service.log.some((line) => line.includes('"outcome":"lost"'))).toBe(true);
    expect(await stateOf(ada.rest, sent)).toBe('active');
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi']);
    expect(await finishElsewhere(service, sent)).toBe(true);
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: From elsewhere']);
  });

  it('has not heard of a request to stop either: its broken response is stopped, not failed and not tried again', async ({
    service,
    ada,
  }) => {
    const released = gate();
    service.model.enqueue([text('Hel'), wait(released.passed), breakConnection()]);
    const requests = service.model.requests.length;
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const viewer = await ada.rest.stream(sent);
    await viewer.next();
    await service.database.response.update({
      where: { messageId: sent.messageId },
      data: { stopReason: 'Ada stopped it.' },
    });
    released.open();
    expect(shown(await collectEvents(viewer))).toEqual([['error', 'Ada stopped it.']]);
    expect(await stateOf(ada.rest, sent)).toBe('interrupted');
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: Hel']);
    expect(service.model.requests.length - requests).toBe(1);
  });
});

/** A service; `look` reads the rows of its responses also after its end. */
async function idleService() {
  const settings = { concurrency: 1, statementLimits: patientStatements, lease: { ...lease, pollMs: 200 } };
  const service = await startTestService({ settings });
  const client = new pg.Client({ connectionString: service.storage.url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    // The test has stopped the service itself.
    await service.model.close();
    await service.storage.drop();
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
  await expect.poll(() => service.model.requests).toHaveLength(1);
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
    await expect.poll(() => service.service.ending).toBe('the HTTP server');
    await commit();
    expect(await sending).toMatchObject({ messageId: expect.stringMatching(/^msg_/) });
    await stopped;
    expect(await look()).toEqual([{ state: 'active', status: 'running', attempt: 1, free: true }]);
    expect(service.model.requests).toHaveLength(0);
  });
});
