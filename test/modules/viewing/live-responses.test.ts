/**
 * The state of a thread and its live response say one thing: the database refuses every transaction that would make them
 * contradict each other, and what a load without triggers left behind is repaired, so that the message is still answered.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { prismaFolder } from '../../../src/database/migrations/folder.js';
import { createId } from '../../../src/ids.js';
import { claim } from '../../../src/modules/responses/protocol/claim.js';
import { reclaim } from '../../../src/modules/responses/protocol/reclaim.js';
import { repairImpossiblePairs } from '../../../src/modules/responses/protocol/repair.js';
import { createEmptyDatabase } from '../../support/database/database.js';
import { breakPairs } from '../../support/database/impossible-pairs.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { runSql } from '../../support/server.js';
import { startTestService } from '../../support/service.js';
import { it, type ProtocolWorld, workerNamed } from '../protocol/protocol-world.js';

const [ann, bob] = [workerNamed('ann'), workerNamed('bob')];

type State = 'ready' | 'waiting' | 'active' | 'error' | 'interrupted';
type Live = 'queued' | 'running' | 'running in another epoch' | 'none';

/** A thread with one message, in any state of both rows: each statement is one that the state machine allows. */
async function staged(
  world: ProtocolWorld,
  state: State,
  live: Live,
): Promise<{ threadId: string; messageId: string; statements: string[] }> {
  const { threadId, messageId } = await world.ask();
  const to = (name: string, more = '') =>
    `UPDATE thread SET state = '${name}', queued_at = NULL ${more} WHERE id = '${threadId}'`;
  const paths: Record<State, string[]> = {
    waiting: [],
    active: [to('active', ', epoch = 1')],
    ready: [to('active', ', epoch = 1'), to('ready')],
    error: [to('error')],
    interrupted: [to('interrupted')],
  };
  const run = (epoch: number) =>
    `UPDATE response SET status = 'running', epoch = ${epoch}, lease_until = now(), deadline_at = now() WHERE message_id = '${messageId}'`;
  const lives: Record<Live, string[]> = {
    queued: [],
    running: [run(state === 'waiting' ? 0 : 1)],
    'running in another epoch': [run(7)],
    none: [`UPDATE response SET status = 'failed', finished_at = now() WHERE message_id = '${messageId}'`],
  };
  return { threadId, messageId, statements: [...paths[state], ...lives[live]] };
}

const impossible: [State, Live, string][] = [
  ['waiting', 'running', 'active / running'],
  ['waiting', 'none', 'interrupted'],
  ['active', 'queued', 'active / running'],
  ['active', 'running in another epoch', 'active / running'],
  ['active', 'none', 'interrupted'],
  ['ready', 'queued', 'waiting / queued'],
  ['ready', 'running', 'ready / interrupted'],
  ['interrupted', 'queued', 'waiting / queued'],
  ['interrupted', 'running', 'interrupted / interrupted'],
  ['error', 'queued', 'error / failed'],
  ['error', 'running', 'error / failed'],
];

const possible: [State, Live][] = [
  ['waiting', 'queued'],
  ['active', 'running'],
  ['ready', 'none'],
  ['error', 'none'],
  ['interrupted', 'none'],
];

/** SQLSTATE of the refusal of these statements in one transaction, or `done`. */
async function commit(world: ProtocolWorld, statements: readonly string[]): Promise<string> {
  try {
    await runSql(world.storage.url, ['BEGIN', ...statements, 'COMMIT'].join('; '));
    return 'done';
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}

const checkViolation = '23514';

describe('the database', () => {
  it.for(impossible)('refuses a thread that is %s while its response is %s', async ([state, live], { world }) => {
    const { threadId, statements } = await staged(world, state, live);
    expect(await commit(world, statements)).toBe(checkViolation);
    expect((await world.thread(threadId)).state, 'nothing was changed').toBe('waiting');
  });

  it.for(possible)('accepts a thread that is %s while its response is %s', async ([state, live], { world }) => {
    expect(await commit(world, (await staged(world, state, live)).statements)).toBe('done');
  });

  it('refuses to delete the response of a waiting thread', async ({ world }) => {
    const { messageId } = await world.ask();
    expect(await commit(world, [`DELETE FROM response WHERE message_id = '${messageId}'`])).toBe(checkViolation);
  });

  it('accepts a load table by table with triggers off, as pg_restore and subscribers do', async ({ world }) => {
    const { threadId, messageId } = await world.ask();
    const rows = await runSql(
      world.storage.url,
      'SET session_replication_role = replica',
      `CREATE TEMP TABLE kept AS SELECT * FROM response WHERE message_id = '${messageId}'`,
      `DELETE FROM response WHERE message_id = '${messageId}'`,
      'INSERT INTO response SELECT * FROM kept',
      `SELECT status FROM response WHERE thread_id = '${threadId}'`,
    );
    expect(rows).toEqual([{ status: 'queued' }]);
  });
});

describe('an impossible pair left behind by a load', () => {
  it.for(impossible)(
    'of a thread that is %s while its response is %s becomes %s',
    async ([state, live, made], { world }) => {
      const { threadId, messageId, statements } = await staged(world, state, live);
      await breakPairs(world.storage.url, ...statements);
      const found = `${state} / ${live.replace(/ in .*/, '')}`;
      expect(await repairImpossiblePairs(world.database)).toEqual([
        { threadId, messageId: live === 'none' ? null : messageId, before: found, after: made },
      ]);
      expect(await repairImpossiblePairs(world.database), 'it is repaired once').toEqual([]);
      if (made === 'waiting / queued') expect(await claim(world.database, ann, 1)).toMatchObject([{ messageId }]);
      if (made === 'active / running') expect(await reclaim(world.database, bob, 1)).toMatchObject([{ messageId }]);
    },
  );

  it('is repaired by the next migration, and its message answered', async () => {
    await using old = await createEmptyDatabase();
    const folder = join(prismaFolder(), 'migrations');
    const names = (await readdir(folder)).filter((name) => /^\d/.test(name)).sort();
    const read = (name: string) => readFile(join(folder, name, 'migration.sql'), 'utf8');
    const own = names.findIndex((name) => name.endsWith('_live_responses'));
    for (const name of names.slice(0, own)) await runSql(old.url, await read(name));
    const [threadId, messageId] = [createId('thr'), createId('msg')];
    await runSql(
      old.url,
      `INSERT INTO organization (slug, name) VALUES ('acme', 'Acme')`,
      `INSERT INTO user_account (id, organization_id, email) VALUES ('usr_1', 1, 'ada@acme.test')`,
      `INSERT INTO thread (id, organization_id, owner_id, state, epoch, last_sequence, created_at, updated_at)
       VALUES ('${threadId}', 1, 'usr_1', 'interrupted', 3, 2, now(), now())`,
      `INSERT INTO message (id, thread_id, sequence, role, contents, created_at) VALUES ('${messageId}', '${threadId}', 2, 'user', '[]', now())`,
      `INSERT INTO response (message_id, thread_id, created_at) VALUES ('${messageId}', '${threadId}', now())`,
      await read(names[own] ?? expect.fail('there is no such migration')),
    );
    expect(await runSql(old.url, 'SELECT state, queued_at IS NOT NULL AS queued FROM thread')).toEqual([
      { state: 'waiting', queued: true },
    ]);
  });

  it('is found by a worker, which logs and counts it and answers the message', async () => {
    await using service = await startTestService({ settings: { repairMs: 0 } });
    const ada = await service.person();
    const held = gate();
    service.model.enqueue([text('Hel'), wait(held.passed), text('lo')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await expect.poll(() => service.model.requests).toHaveLength(1);
    await breakPairs(
      service.storage.url,
      `UPDATE response SET epoch = 9, attempt = 2 WHERE message_id = '${sent.messageId}'`,
    );
    const isRepair = (line: string) => line.includes('whose state contradicted its response');
    await expect.poll(() => service.log.filter(isRepair)).toHaveLength(1);
    expect(service.log.find(isRepair)).toContain(sent.threadId);
    expect(service.log.find(isRepair)).toContain(sent.messageId);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toContain('# TYPE skein_impossible_pairs_repaired_total counter');
    expect(metrics).toContain('skein_impossible_pairs_repaired_total 1');
    expect(await ada.rest.answer(sent)).toHaveLength(1);
    held.open();
    service.log.length = 0;
  });
});
