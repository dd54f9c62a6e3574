/**
 * Whose responses a worker runs: no user and no organization fills its slots, and turns go round by user however much one of
 * them has waiting. What a claim costs does not grow with that either; `WAITING=100000` tries a longer queue.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.js';
import { claimSql } from '../../../src/modules/responses/protocol/claim.js';
import { planOf, printPlan, rowsTouched } from '../../support/database/query-plan.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { runSql } from '../../support/server.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { lease, openedWorld, ReservedSlots, workerNamed } from './protocol-world.js';

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
  await expect.poll(() => asked()).toHaveLength(1);
  await sendAll(ada, ['ada 2', 'ada 3', 'ada 4']);
  await expect.poll(() => asked()).toHaveLength(2);
  await sendAll(colleague, ['colleague 1', 'colleague 2']);
  await expect.poll(() => asked()).toHaveLength(3);
  await sendAll(bob, ['bob 1']);
  await expect.poll(() => asked()).toHaveLength(4);
  expect(asked()).toEqual(['ada 1', 'ada 2', 'colleague 1', 'bob 1']);

  gates[0]?.open();
  await expect.poll(() => asked()).toHaveLength(5);
  expect(asked().at(-1), 'both run one: the place goes to who was served longer ago').toBe('ada 3');
  for (const { open } of gates) open();
  await expect.poll(() => asked()).toHaveLength(7);
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
  await expect.poll(() => asked()).toHaveLength(10);
  await bob.rest.createThread({ text: 'bob' });
  await expect.poll(() => asked()).toHaveLength(11);
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
    await expect.poll(() => asked()).toHaveLength(index + 1);
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

const [running, ended] = [200, 5_000];

let ready: string;
const world = openedWorld(async (opened) => {
  const run = await opened.running();
  await opened.end(run);
  ready = run.threadId;
  const { userId, organizationId } = opened.viewer;
  const id = (kind: string) => `'${kind}_' || lpad(i::text, 26, '0')`;
  const rows = `generate_series(1, ${running + ended}) i`;
  const whose = `CASE WHEN i % 2 = 0 THEN '${userId}' ELSE 'usr_' || i % 50 END`;
  await runSql(
    opened.storage.url,
    'SET session_replication_role = replica',
    `INSERT INTO thread (id, organization_id, owner_id, state, epoch, last_sequence, created_at, updated_at)
     SELECT ${id('thr')}, ${organizationId}, ${whose}, CASE WHEN i <= ${running} THEN 'active' ELSE 'ready' END::thread_state, 1, 4, now(), now()
     FROM ${rows}`,
    `INSERT INTO response (message_id, thread_id, status, epoch, attempt, worker_id, lease_until, started_at, deadline_at, created_at, finished_at)
     SELECT ${id('msg')}, ${id('thr')}, CASE WHEN i <= ${running} THEN 'running' ELSE 'succeeded' END::response_status, 1, 1, 'ann',
       CASE WHEN i <= ${running} THEN now() + interval '1 hour' END, now(), now() + interval '1 hour', now(), CASE WHEN i > ${running} THEN now() END
     FROM ${rows}`,
    'RESET session_replication_role',
    'VACUUM ANALYZE',
  );
});

/** The statement that `send` executes in a slot. */
async function statementOf(send: (sending: { slots: ReservedSlots; database: PrismaClient }) => Promise<unknown>) {
  const sent: Prisma.Sql[] = [];
  const $queryRaw = (query: Prisma.Sql) => Promise.reject(new Error(`only noted: ${sent.push(query)}`));
  const database = Object.create(world().database, { $queryRaw: { value: $queryRaw } }) as PrismaClient;
  const shares = { perUser: running, perOrganization: 2 * running };
  const slots = new ReservedSlots({ ...workerNamed('ann'), shares });
  await expect(send({ slots, database })).rejects.toThrow('only noted');
  return sent[0] ?? expect.fail('nothing was sent');
}

it.each([
  ['a new thread', () => statementOf((sending) => world().ask(sending))],
  ['another message', () => statementOf((sending) => world().askAgain(ready, sending))],
])('the statement for %s counts what runs once, by index, and nothing that has ended', async (_what, statement) => {
  const plan = await planOf(world().storage.url, await statement());
  const parts = plan.filter((step) => /^CTE (running|place)$/.test(step['Subplan Name'] ?? ''));
  expect(parts.map((step) => [step['Subplan Name'], step['Actual Loops']])).toEqual([
    ['CTE place', 1],
    ['CTE running', 1],
  ]);
  const reads = plan.filter(
    (step) => /Scan/.test(step['Node Type']) && /^(thread|response)$/.test(step['Relation Name'] ?? ''),
  );
  expect(new Set(reads.map((step) => step['Index Name'])), printPlan(plan)).toEqual(
    new Set(['thread_pkey', 'thread_waiting_by_owner', 'response_running']),
  );
  expect(rowsTouched(reads), printPlan(plan)).toBeLessThanOrEqual(running + 2);
  const rows = await world().database.thread.count({ where: { state: 'active' } });
  expect(rows, 'the share was not used up').toBeGreaterThan(running);
});
