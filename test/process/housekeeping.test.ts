/**
 * Housekeeping finds what is due by an index, in batches, however much there is beside it. HOUSEKEEPING_ROWS=5000000 fills each
 * table with as many rows and prints how long the slowest statement took.
 */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Prisma, type PrismaClient } from '../../prisma/generated/client/client.js';
import { Housekeeping } from '../../src/process/housekeeping.js';
import { type HousekeepingStep, housekeepingSteps } from '../../src/process/housekeeping-steps.js';
import { openedDatabase } from '../support/database/opened-database.js';
import { planOf, printPlan, rowsTouched } from '../support/database/query-plan.js';
import { stepNamed } from '../support/database/remove-expired.js';
import { runSql } from '../support/server.js';
import { logger } from '../support/silent-logger.js';

const rows = Number(process.env['HOUSEKEEPING_ROWS'] ?? 20_000);
/** One row in a hundred is due; of the positions, all are of threads that had rested for long. */
const due = Math.ceil(rows / 100);
/** Row `i` is due where it is among the first, as the oldest rows of a table are. */
const dueOr = (old: string, young: string) => `CASE WHEN i <= ${due} THEN ${old} ELSE ${young} END`;
const fill = [
  `INSERT INTO organization (slug, name) VALUES ('acme', 'Acme')`,
  `INSERT INTO user_account (id, organization_id, email) SELECT 'usr_1', id, 'ada@acme.test' FROM organization`,
  `INSERT INTO thread (id, organization_id, owner_id, created_at, updated_at)
   SELECT 'thr_1', id, 'usr_1', now(), now() FROM organization`,
  `INSERT INTO message (id, thread_id, sequence, role, contents, created_at) VALUES ('msg_1', 'thr_1', 2, 'user', '[]', now())`,
  `INSERT INTO organization (slug, name, retention_days) VALUES ('brief', 'Brief', 30);
   INSERT INTO user_account (id, organization_id, email)
   SELECT 'usr_2', id, 'bob@brief.test' FROM organization WHERE slug = 'brief';
   INSERT INTO organization (slug, name) SELECT 'more-' || i, 'More' FROM generate_series(1, ${rows}) i`,
  // Those users were added.
  `DELETE FROM audit_event`,
  `SET session_replication_role = replica;
   INSERT INTO thread (id, organization_id, owner_id, created_at, updated_at)
   SELECT 'thr_brief_' || i, o.id, 'usr_2', t.at, t.at
   FROM organization o, generate_series(1, ${rows}) i, LATERAL (
     SELECT now() - ${dueOr(`interval '31 days'`, `interval '29 days'`)} + i * interval '1 second' AS at) t WHERE o.slug = 'brief';
   INSERT INTO response (message_id, thread_id, status, created_at, finished_at)
   SELECT 'msg_brief_' || i, 'thr_brief_' || i, 'succeeded', now(), now() FROM generate_series(1, ${rows}) i;
   INSERT INTO idempotency_key (user_id, operation, key, fingerprint, thread_id, message_id, created_at)
   SELECT 'usr_1', 'createThread', i, '\\x00', 'thr_1', 'msg_1', now() - ${dueOr(`interval '2 days'`, `interval '1 hour'`)}
   FROM generate_series(1, ${rows}) i;
   INSERT INTO thread_position (thread_id, updated_at, moved_xid, written_at)
   SELECT 'thr_1', now() - interval '400 days' + i * interval '1 millisecond', 1, now() - ${dueOr(`interval '31 days'`, `interval '1 day'`)}
   FROM generate_series(1, ${rows}) i;
   INSERT INTO attachment (id, owner_id, name, media_type, size, content, digest, uploaded_at, message_id, created_at)
   SELECT i, 'usr_1', 'a.txt', 'text/plain', 1, 'a', '\\x00', now(), ${dueOr('NULL', `'msg_1'`)}, now() - interval '2 days'
   FROM generate_series(1, ${rows}) i;
   INSERT INTO sign_in_attempts (key, count, window_end)
   SELECT int8send(i), 1, now() + ${dueOr(`interval '-1 hour'`, `interval '1 hour'`)} FROM generate_series(1::bigint, ${rows}) i;
   INSERT INTO session (id, user_id, token, expires_at)
   SELECT i, 'usr_1', lpad(to_hex(i), 64, '0'), now() + ${dueOr(`interval '-1 hour'`, `interval '1 day'`)} FROM generate_series(1, ${rows}) i;
   INSERT INTO ended_session (token, reason, ended_at)
   SELECT 'ended ' || i, 'signed_out', now() - ${dueOr(`interval '31 days'`, `interval '1 day'`)} FROM generate_series(1, ${rows}) i;
   INSERT INTO token_chunk (response_id, epoch, seq, kind, body, created_at)
   SELECT 'msg_' || i / 20, 1, i, 'text', 'word', now() - ${dueOr(`interval '2 hours'`, `interval '1 minute'`)} FROM generate_series(1, ${rows}) i;
   INSERT INTO audit_event (organization_id, at, act, actor_kind, subject_id)
   SELECT o.id, now() - ${dueOr(`interval '400 days'`, `interval '1 day'`)}, 'signed_in', 'user', 'usr_1'
   FROM generate_series(1, ${rows}) i, organization o WHERE o.slug = 'acme';
   INSERT INTO token_usage_day (token_id, day, model, input_tokens, output_tokens)
   SELECT 'tok_' || i, now() - ${dueOr(`interval '70 days'`, `interval '1 day'`)}, 'x', 1, 1 FROM generate_series(1, ${rows}) i;
   INSERT INTO rate_count (key, points, expire)
   SELECT i, 1, extract(epoch FROM now() + ${dueOr(`interval '-1 hour'`, `interval '1 hour'`)}) * 1000 FROM generate_series(1, ${rows}) i`,
  'ANALYZE',
];
const opened = openedDatabase({ maxConnections: 5, fill });

/** The statement of a step that finds what is due, without running it. */
async function statementOf({ remove, batch }: HousekeepingStep): Promise<Prisma.Sql> {
  const statements: Prisma.Sql[] = [];
  const record = (strings: TemplateStringsArray, values: unknown[]) => {
    statements.push(Prisma.sql(strings, ...values));
  };
  const recorder = {
    $executeRaw: (strings: TemplateStringsArray, ...values: unknown[]) => {
      record(strings, values);
      return Promise.resolve(0);
    },
    $queryRaw: (strings: TemplateStringsArray, ...values: unknown[]) => {
      record(strings, values);
      return Promise.resolve([]);
    },
    $transaction: (run: (transaction: unknown) => Promise<unknown>) => run(recorder),
  };
  await remove(recorder as unknown as PrismaClient, batch);
  const [statement] = statements;
  if (!statement) throw new Error('The step has no statement.');
  return statement;
}

const indexes: Record<string, string> = {
  idempotency_keys: 'idempotency_key_created_at_idx',
  thread_positions: 'thread_position_written_at_idx',
  attachments: 'attachment_unsent_by_age',
  sign_in_attempts: 'sign_in_attempts_window_end_idx',
  sessions: 'session_expires_at_idx',
  ended_sessions: 'ended_session_ended_at_idx',
  token_chunks: 'token_chunk_created_at_idx',
  audit_events: 'audit_event_at_idx',
  expired_threads: 'thread_organization_id_updated_at_id_idx',
  token_usage: 'token_usage_day_day_idx',
  rate_counts: 'rate_count_expire_idx',
};

/** An expired thread is read when it is found, by the rule of its organization, and when it is removed, and its response. */
const readsOf: Record<string, number> = { expired_threads: 31 };

describe('housekeeping, on tables with many rows', () => {
  it('knows an index for each of its steps', () => {
    expect(Object.keys(indexes)).toEqual(housekeepingSteps.map(({ name }) => name));
  });

  it.each(Object.entries(indexes))('%s: reads only what is due, by the index %s', async (name, index) => {
    const step = { ...stepNamed(name), batch: 10 };
    const plan = await planOf(opened.url, await statementOf(step));
    expect(
      plan.map((part) => part['Index Name']),
      printPlan(plan),
    ).toContain(index);
    expect(
      plan.map((part) => part['Node Type']),
      printPlan(plan),
    ).not.toContain('Seq Scan');
    expect(rowsTouched(plan), printPlan(plan)).toBeLessThanOrEqual(readsOf[name] ?? 10);
  });

  it('passes over what another node is removing at the same time', async () => {
    await opened.client.$transaction(async (other) => {
      const first = await stepNamed('sessions').remove(other as PrismaClient, 30);
      const second = await stepNamed('sessions').remove(opened.client, 30);
      expect([first, second]).toEqual([30, 30]);
    });
  });

  it('removes all that is due, batch by batch, and nothing else', async () => {
    const slowest = new Map<string, number>();
    const timed = housekeepingSteps.map((step) => ({
      ...step,
      remove: async (client: PrismaClient, most: number) => {
        const startedAt = performance.now();
        const removed = await step.remove(client, most);
        slowest.set(step.name, Math.max(slowest.get(step.name) ?? 0, performance.now() - startedAt));
        return removed;
      },
    }));
    await new Housekeeping({ database: opened.client, logger, steps: timed, stepLimitMs: 3_600_000 }).clean();
    const tables = [
      'idempotency_key',
      'thread_position',
      'attachment',
      'sign_in_attempts',
      'session',
      // The sessions that go leave an entry each.
      `ended_session WHERE reason <> 'expired'`,
      'token_chunk',
      // The threads that go leave an entry each.
      `audit_event WHERE act <> 'thread_deleted'`,
      'rate_count',
      // Without the thread of the other organization, which has no limit.
      `thread WHERE id <> 'thr_1'`,
    ];
    const counts = tables.map((table) => `SELECT count(*)::int AS left FROM ${table}`).join(' UNION ALL ');
    const left = await runSql(opened.url, counts);
    expect(left, tables.join(', ')).toEqual(tables.map(() => ({ left: rows - due })));
    if (process.env['HOUSEKEEPING_ROWS'] !== undefined) console.info('slowest statement of each step, in ms:', slowest);
  }, 3_600_000);
});

describe('a round of housekeeping', () => {
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const failing = { name: 'broken', batch: 5, remove: () => Promise.reject(new Error('out of order')) };
  const left = [5, 5, 2];
  const later = { name: 'later', batch: 5, remove: () => Promise.resolve(left.shift() ?? 0) };

  it('continues after a step that fails, logs the failure and counts it', async () => {
    const housekeeping = new Housekeeping({ database: opened.client, logger, steps: [failing, later] });
    const begun = Date.now() / 1000;
    await housekeeping.clean();
    const ended = Date.now() / 1000;
    const [removed, failures, lastSuccess] = housekeeping.metricSources.map(({ read }) => Object.fromEntries(read()));
    expect(removed).toEqual({ broken: 0, later: 12 });
    expect(failures).toEqual({ broken: 1, later: 0 });
    expect(lastSuccess).toEqual({ broken: 0, later: expect.any(Number) });
    expect(lastSuccess?.['later']).toBeGreaterThanOrEqual(begun);
    expect(lastSuccess?.['later']).toBeLessThanOrEqual(ended);
    expect(lines.join('')).toMatch(/out of order.*"step":"broken"/);
  });

  it('ends a step that has gone on for too long; the rest is for the next round', async () => {
    const endless = { name: 'endless', batch: 1, remove: () => Promise.resolve(1) };
    const housekeeping = new Housekeeping({ database: opened.client, logger, steps: [endless], stepLimitMs: 20 });
    await housekeeping.clean();
    expect(housekeeping.metricSources[0]?.read().get('endless')).toBeGreaterThan(0);
  });
});
