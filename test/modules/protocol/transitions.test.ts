import { describe, expect, it } from 'vitest';
import { threadStates } from '../../../src/contract.js';
import { createId } from '../../../src/ids.js';
import { allowImpossiblePairs } from '../../support/database/impossible-pairs.js';
import { runSql } from '../../support/server.js';
import { responseTransitions, transitions } from '../transitions.js';
import { openedWorld } from './protocol-world.js';

const world = openedWorld(async (opened) => {
  // Here each row is changed alone.
  await allowImpossiblePairs(opened.storage.url);
});

/** Resolves to what the database says of the last statement: `done`, or the SQLSTATE of its refusal. */
async function attempt(...statements: string[]): Promise<string> {
  try {
    await runSql(world().storage.url, ...statements);
    return 'done';
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}

const checkViolation = '23514';
const uniqueViolation = '23505';

describe('the database’s guard of thread states', () => {
  const pairs = threadStates.flatMap((from) => threadStates.map((to) => ({ from, to })));
  const queuedAt = (state: string) => (state === 'waiting' ? 'clock_timestamp()' : 'NULL');

  it.each(pairs)('$from → $to', async ({ from, to }) => {
    const { threadId } = await world().ask();
    const set = `state = '${from}', queued_at = ${queuedAt(from)}`;
    const allowed: readonly string[] = transitions[from];
    const result = await attempt(
      'ALTER TABLE thread DISABLE TRIGGER thread_transition',
      `UPDATE thread SET ${set} WHERE id = '${threadId}'`,
      'ALTER TABLE thread ENABLE TRIGGER thread_transition',
      `UPDATE thread SET state = '${to}', queued_at = ${queuedAt(to)} WHERE id = '${threadId}'`,
    );
    // Staying is no transition.
    expect(result).toBe(from === to || allowed.includes(to) ? 'done' : checkViolation);
    expect((await world().thread(threadId)).state).toBe(result === 'done' ? to : from);
  });
});

describe('the database’s guard of a thread that waits and is claimed in one step', () => {
  it.each(threadStates)('from %s', async (from) => {
    const { threadId } = await world().ask();
    const result = await attempt(
      'ALTER TABLE thread DISABLE TRIGGER thread_transition',
      `UPDATE thread SET state = '${from}', queued_at = ${from === 'waiting' ? 'now()' : 'NULL'} WHERE id = '${threadId}'`,
      'ALTER TABLE thread ENABLE TRIGGER thread_transition',
      `UPDATE thread SET state = 'active', queued_at = now() WHERE id = '${threadId}'`,
    );
    const mayWait: readonly string[] = transitions[from];
    expect(result).toBe(mayWait.includes('waiting') ? 'done' : checkViolation);
    const { state, queuedAt } = await world().thread(threadId);
    if (result === 'done') expect({ state, queuedAt }).toEqual({ state: 'active', queuedAt: null });
  });
});

describe('the database’s guard of response states', () => {
  const next = responseTransitions;
  const pairs = Object.keys(next).flatMap((from) => Object.keys(next).map((to) => ({ from, to })));
  const columns = (status: string) => {
    const isOver = next[status]?.length === 0;
    const leaseUntil = status === 'running' ? 'clock_timestamp()' : 'NULL';
    return `status = '${status}', lease_until = ${leaseUntil}, finished_at = ${isOver ? 'clock_timestamp()' : 'NULL'}`;
  };

  it.each(pairs)('$from → $to', async ({ from, to }) => {
    const { messageId } = await world().ask();
    const result = await attempt(
      'ALTER TABLE response DISABLE TRIGGER response_transition',
      `UPDATE response SET ${columns(from)} WHERE message_id = '${messageId}'`,
      'ALTER TABLE response ENABLE TRIGGER response_transition',
      `UPDATE response SET ${columns(to)} WHERE message_id = '${messageId}'`,
    );
    expect(result).toBe(from === to || next[from]?.includes(to) ? 'done' : checkViolation);
  });
});

describe('the database’s guard of live responses', () => {
  it.each(['queued', 'running'])(
    'refuses a second live response for a thread beside one that is %s',
    async (status) => {
      const { threadId, messageId } = await world().ask();
      const lease = status === 'running' ? 'clock_timestamp()' : 'NULL';
      await runSql(
        world().storage.url,
        `UPDATE response SET status = '${status}', lease_until = ${lease} WHERE message_id = '${messageId}'`,
      );
      const second = createId('msg');
      await world().database.message.create({
        data: { id: second, threadId, sequence: 4, role: 'user', contents: [], createdAt: new Date() },
      });
      const insert = `INSERT INTO response (message_id, thread_id, status, created_at)
      VALUES ('${second}', '${threadId}', 'queued', clock_timestamp())`;
      expect(await attempt(insert)).toBe(uniqueViolation);
    },
  );

  it.each([
    ['a thread that waits since never', `UPDATE thread SET queued_at = NULL WHERE state = 'waiting'`],
    [
      'a lease of a response that does not run',
      `UPDATE response SET lease_until = clock_timestamp() WHERE status = 'queued'`,
    ],
    [
      'an end of a response that goes on',
      `UPDATE response SET finished_at = clock_timestamp() WHERE status = 'queued'`,
    ],
    ['an epoch below zero', 'UPDATE thread SET epoch = -1'],
  ])('refuses %s', async (_name, statement) => {
    await world().ask();
    expect(await attempt(statement)).toBe(checkViolation);
  });
});
