/**
 * Whose responses a worker runs: no user and no organization fills its slots, and turns go round by user however much one of
 * them has waiting. What a claim costs does not grow with that either; `WAITING=100000` tries a longer queue.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { claimSql } from '../../../src/modules/responses/protocol/claim.js';
import { planOf, printPlan, rowsTouched } from '../../support/database/query-plan.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { lease } from './protocol-world.js';

const patience = { timeout: 10_000 };
// Polling is off in effect: whatever moves here was woken.
const rarely = { leaseMs: 600_000, heartbeatMs: 300_000, pollMs: 300_000, maxAttempts: 3, deadlineMs: 600_000 };

async function startWorker(slots: number, user: number, organization: number): Promise<TestService> {
  const environment = { RESPONSES_PER_USER: `${user}`, RESPONSES_PER_ORGANIZATION: `${organization}` };
  return startTestService({ environment, settings: { concurrency: slots, lease: rarely } });
}

/** Lets the model hold every answer; `asked` are the last messages of the requests that it got. */
function holdAnswers({ model }: TestService, count: number) {
  const gates = Array.from({ length: count }, gate);
  model.enqueue(...gates.map(({ passed }) => [text('x'), wait(passed)]));
  const from = model.requests.length;
  return { gates, asked: () => model.requests.slice(from).map(({ body }) => String(body.messages.at(-1)?.content)) };
}

const sendAll = async (person: Person, texts: readonly string[]) => {
  for (const said of texts) await person.rest.createThread({ text: said });
};

it('slow responses of one user leave slots for a colleague, and those of one organization leave slots for another', async () => {
  await using service = await startWorker(4, 2, 3);
  const ada = await newcomer(service);
  const [colleague, bob] = [await colleagueOf(service, ada), await newcomer(service)];
  const { gates, asked } = holdAnswers(service, 9);
  // The first alone: two that begin together reach the model in any order.
  await sendAll(ada, ['ada 1']);
  await vi.waitFor(() => expect(asked()).toHaveLength(1), patience);
  await sendAll(ada, ['ada 2', 'ada 3', 'ada 4']);
  await vi.waitFor(() => expect(asked()).toHaveLength(2), patience);
  await sendAll(colleague, ['colleague 1', 'colleague 2']);
  await vi.waitFor(() => expect(asked()).toHaveLength(3), patience);
  await sendAll(bob, ['bob 1']);
  await vi.waitFor(() => expect(asked()).toHaveLength(4), patience);
  expect(asked()).toEqual(['ada 1', 'ada 2', 'colleague 1', 'bob 1']);

  gates[0]?.open();
  await vi.waitFor(() => expect(asked()).toHaveLength(5), patience);
  expect(asked().at(-1), 'both run one: the place goes to who was served longer ago').toBe('ada 3');
  for (const { open } of gates) open();
  await vi.waitFor(() => expect(asked()).toHaveLength(7), patience);
});

it('a hundred waiting threads of one user do not keep the only one of another waiting', async () => {
  await using service = await startTestService({
    environment: { RESPONSES_PER_PROCESS: '20' },
    settings: { lease: rarely },
  });
  const ada = await newcomer(service);
  const bob = await colleagueOf(service, ada);
  const { gates, asked } = holdAnswers(service, 101);
  await Promise.all(Array.from({ length: 100 }, () => ada.rest.createThread({ text: 'ada' })));
  await vi.waitFor(() => expect(asked()).toHaveLength(10), patience);
  await bob.rest.createThread({ text: 'bob' });
  await vi.waitFor(() => expect(asked()).toHaveLength(11), patience);
  expect(asked().at(-1)).toBe('bob');
  for (const { open } of gates) open();
});

it('waiting messages are claimed in turns by organization and by user', async () => {
  await using service = await startWorker(1, 1, 1);
  const ada = await newcomer(service);
  const [colleague, bob] = [await colleagueOf(service, ada), await newcomer(service)];
  const { gates, asked } = holdAnswers(service, 8);
  await sendAll(ada, ['ada 1', 'ada 2', 'ada 3', 'ada 4']);
  await sendAll(colleague, ['colleague 1', 'colleague 2']);
  await sendAll(bob, ['bob 1', 'bob 2']);
  for (const [index, { open }] of gates.entries()) {
    await vi.waitFor(() => expect(asked()).toHaveLength(index + 1), patience);
    open();
  }
  expect(asked()).toEqual(['ada 1', 'bob 1', 'colleague 1', 'bob 2', 'ada 2', 'colleague 2', 'ada 3', 'ada 4']);
});

describe('the plan of a claim', () => {
  const waiting = Number(process.env['WAITING'] ?? 20_000);
  let service: TestService;
  let bob: string;
  beforeAll(async () => {
    service = await startTestService({ settings: { concurrency: 0 } });
    const { database } = service;
    const ada = await newcomer(service);
    const { organizationId } = await database.user.findUniqueOrThrow({ where: { id: ada.id } });
    const id = (kind: string) => `'${kind}_' || lpad(i::text, 26, '0')`;
    const rows = `generate_series(1, ${waiting}) i`;
    await service.sql(
      'SET session_replication_role = replica',
      `INSERT INTO thread (id, organization_id, owner_id, state, queued_at, last_sequence, created_at, updated_at)
       SELECT ${id('thr')}, ${organizationId}, '${ada.id}', 'waiting', now() - interval '5 seconds', 2, now(), now() FROM ${rows}`,
      `INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
       SELECT ${id('msg')}, ${id('thr')}, 2, 'user', '[]', now() FROM ${rows}`,
      `INSERT INTO response (message_id, thread_id, status, created_at)
       SELECT ${id('msg')}, ${id('thr')}, 'queued', now() FROM ${rows}`,
    );
    bob = (await (await newcomer(service)).rest.createThread({ text: 'Hi' })).threadId;
    await service.sql('VACUUM ANALYZE thread, response');
  }, 300_000);
  afterAll(() => service.stop());

  it('reads few rows, and finds that of another user behind thousands of one', async () => {
    const { database } = service;
    const shares = { perUser: 32, perOrganization: 48 };
    const statement = claimSql({ id: 'w', lease, shares }, 64);
    const steps = await planOf(service.storage.url, statement);
    expect(rowsTouched(steps.filter((step) => step['Relation Name'])), printPlan(steps)).toBeLessThanOrEqual(100);
    const { state } = await database.thread.findUniqueOrThrow({ where: { id: bob } });
    expect(state, 'of the thread of somebody else').toBe('active');
    expect(
      await database.thread.count({ where: { state: 'active' } }),
      'the share of one user, and the other one',
    ).toBe(33);
  });
});
