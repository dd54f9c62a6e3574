/** What the claim costs the statement that sends a message, among thousands of responses that have ended and hundreds that run. */
import { expect, it } from 'vitest';
import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.js';
import { planOf, printPlan, rowsTouched } from '../../support/database/query-plan.js';
import { runSql } from '../../support/server.js';
import { openedWorld, ReservedSlots, workerNamed } from './protocol-world.js';

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
