import fc from 'fast-check';
import { expect, it } from 'vitest';
import { modelLimitMs, modelRuns } from '../../model-runs.js';
import { openedWorld } from '../protocol-world.js';
import { commands } from './commands.js';
import { type Model, type Real, type ThreadModel, workers } from './state.js';

const world = openedWorld();

interface Found {
  threadId: string;
  state: string;
  epoch: bigint;
  live: number;
  responses: { id: string; status: string; epoch: number; attempt: number; answers: string[] }[];
}

/** Everything of the threads, in one statement. */
function look(): Promise<Found[]> {
  return world().database.$queryRaw<Found[]>`
    SELECT t.id AS "threadId", t.state::text AS state, t.epoch,
      (SELECT count(*)::int FROM response r WHERE r.thread_id = t.id AND r.status IN ('queued', 'running')) AS live,
      (SELECT jsonb_agg(jsonb_build_object('id', r.message_id, 'status', r.status, 'epoch', r.epoch, 'attempt', r.attempt,
          'answers', (SELECT coalesce(jsonb_agg(m.contents -> 0 ->> 'text'), '[]') FROM message m WHERE m.reply_to_id = r.message_id)))
        FROM response r WHERE r.thread_id = t.id) AS responses
    FROM thread t`;
}

async function check({ threads }: Model): Promise<void> {
  const found = await look();
  for (const thread of threads) {
    const row = found.find(({ threadId }) => threadId === thread.threadId) ?? expect.fail('the thread is gone');
    expect([row.state, Number(row.epoch)], 'state and epoch').toEqual([thread.state, thread.epoch]);
    expect(row.live, 'live responses').toBe(thread.state === 'waiting' || thread.state === 'active' ? 1 : 0);
    for (const response of row.responses) checkResponse(thread, response);
  }
}

function checkResponse(thread: ThreadModel, { id, status, epoch, attempt, answers }: Found['responses'][number]): void {
  const ended = thread.ended.get(id);
  if (ended) {
    expect(status, 'a response ends once, and stays as it ended').toBe(ended.status);
    expect(answers, 'its text is of one attempt').toEqual(
      ended.answeredBy === null ? [] : [`epoch ${ended.answeredBy}`],
    );
    return;
  }
  expect(id, 'only the newest message is still open').toBe(thread.messageId);
  expect(status).toBe(thread.state === 'waiting' ? 'queued' : 'running');
  expect(answers).toEqual([]);
  if (status === 'running') expect([epoch, attempt]).toEqual([thread.epoch, thread.attempt]);
}

async function setup(threadCount: number): Promise<{ model: Model; real: Real }> {
  await world().removeThreads();
  const threads: ThreadModel[] = [];
  for (let count = 0; count < threadCount; count += 1) {
    const asked = await world().ask();
    const first = { state: 'waiting', epoch: 0, attempt: 0, owner: null, leaseIsOver: false } as const;
    threads.push({ ...asked, ...first, ended: new Map() });
  }
  const held = new Map(workers.map(({ id }) => [id, []]));
  return { model: { threads }, real: { world: world(), workers, held, check } };
}

it(
  'the protocol, any interleaving of senders and three workers ends every accepted message once, with text of one attempt, under an epoch that only grows',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2 }),
        fc.commands(commands, { size: '+1', maxCommands: 20 }),
        async (threadCount, steps) => {
          const prepared = await setup(threadCount);
          await fc.asyncModelRun(() => prepared, steps);
        },
      ),
      { numRuns: modelRuns },
    );
  },
  modelLimitMs,
);
