/**
 * The protocol as a model: what each thread must look like after any sequence of what senders and three workers do. A
 * worker of the model keeps the runs that it believes to be its own, also after it has lost them, as a paused process does.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ThreadNotReadyError } from '../../../src/errors.js';
import { claim } from '../../../src/modules/responses/protocol/claim.js';
import type { ClaimedResponse, Worker } from '../../../src/modules/responses/protocol/claimed-response.js';
import { heartbeat } from '../../../src/modules/responses/protocol/lease.js';
import { reclaim } from '../../../src/modules/responses/protocol/reclaim.js';
import { restart } from '../../../src/modules/responses/protocol/restart.js';
import { modelLimitMs, modelRuns } from '../model-runs.js';
import { lease, openedWorld, type ProtocolWorld, ReservedSlots, workerNamed } from './protocol-world.js';

interface ThreadModel {
  threadId: string;
  messageId: string;
  state: 'ready' | 'waiting' | 'active' | 'error';
  epoch: number;
  attempt: number;
  owner: string | null;
  leaseIsOver: boolean;
  /** How each message ended, and the epoch that its answer must be of. */
  ended: Map<string, { status: 'succeeded' | 'failed'; answeredBy: number | null }>;
}

interface Model {
  threads: ThreadModel[];
  /** What each worker believes to run. */
  held: Map<string, ClaimedResponse[]>;
}

type Step = fc.AsyncCommand<Model, ProtocolWorld>;

/** After each step the database is what the model says. */
function step(name: string, act: (model: Model, world: ProtocolWorld) => Promise<void>): Step {
  const run: Step['run'] = async (model, real) => {
    await act(model, real);
    await check(model);
  };
  return { run, check: () => true, toString: () => name };
}

const workers = ['ann', 'bob', 'cyd'].map(workerNamed);

const isHeldBy = (thread: ThreadModel, run: ClaimedResponse, name: string) =>
  thread.state === 'active' && thread.epoch === run.epoch && thread.owner === name;

function threadOf(model: Model, run: ClaimedResponse): ThreadModel {
  return (
    model.threads.find(({ threadId }) => threadId === run.threadId) ?? expect.fail('a thread that is not the test’s')
  );
}

function adopt(model: Model, worker: Worker, run: ClaimedResponse): void {
  const thread = threadOf(model, run);
  expect(run.epoch, 'the epoch grows by one').toBe(thread.epoch + 1);
  expect(run.attempt, 'so does the attempt').toBe(thread.attempt + 1);
  Object.assign(thread, {
    state: 'active',
    epoch: run.epoch,
    attempt: run.attempt,
    owner: worker.id,
    leaseIsOver: false,
  });
  model.held.get(worker.id)?.push(run);
}

function fail(thread: ThreadModel): void {
  thread.ended.set(thread.messageId, { status: 'failed', answeredBy: null });
  Object.assign(thread, { state: 'error', epoch: thread.epoch + 1 });
}

/** In a slot of the worker, if any, which claims the response unless another waits. */
function sends(which: number, worker: Worker | null): Step {
  return step(`send(${which}, ${worker?.id})`, async (model, world) => {
    const thread = model.threads[which % model.threads.length] ?? expect.fail('no thread');
    const slots = worker && new ReservedSlots(worker);
    const send = () => world.askAgain(thread.threadId, slots ? { slots } : {});
    if (thread.state !== 'ready') {
      await expect(send()).rejects.toThrow(ThreadNotReadyError);
      return;
    }
    const isFirst = !model.threads.some(({ state }) => state === 'waiting');
    const { messageId } = await send();
    Object.assign(thread, { messageId, state: 'waiting', attempt: 0, owner: null, leaseIsOver: false });
    if (!slots) return;
    expect(slots.begun.length).toBe(isFirst ? 1 : 0);
    for (const { run } of slots.begun) adopt(model, worker, run);
  });
}

function claims(worker: Worker): Step {
  return step(`claim(${worker.id})`, async (model, world) => {
    const taken = await claim(world.database, worker, 1);
    expect(taken.length).toBe(Math.min(1, model.threads.filter(({ state }) => state === 'waiting').length));
    for (const run of taken) adopt(model, worker, run);
  });
}

function takesOver(worker: Worker): Step {
  return step(`reclaim(${worker.id})`, async (model, world) => {
    const lost = model.threads.filter(({ state, leaseIsOver }) => state === 'active' && leaseIsOver);
    const taken = await reclaim(world.database, worker, 10);
    const tired = lost.filter(({ attempt }) => attempt >= lease.maxAttempts);
    expect(taken.length).toBe(lost.length - tired.length);
    for (const thread of tired) fail(thread);
    for (const run of taken) adopt(model, worker, run);
  });
}

function beats(worker: Worker): Step {
  return step(`heartbeat(${worker.id})`, async (model, world) => {
    const runs = model.held.get(worker.id) ?? [];
    const mine = runs.filter((run) => isHeldBy(threadOf(model, run), run, worker.id));
    const kept = await heartbeat(world.database, worker, runs);
    const nameOf = ({ messageId, epoch }: ClaimedResponse) => `${messageId} ${epoch}`;
    expect(kept.map(nameOf).toSorted()).toEqual(mine.map(nameOf).toSorted());
    for (const run of mine) threadOf(model, run).leaseIsOver = false;
  });
}

function expires(which: number): Step {
  return step(`expireLease(${which})`, async (model, world) => {
    const thread = model.threads[which % model.threads.length];
    if (thread?.state !== 'active') return;
    await world.expireLease(thread);
    thread.leaseIsOver = true;
  });
}

type Ending = 'finish' | 'fail' | 'restart';

/** Any run that the worker believes to have, the lost ones included; it forgets the run only where it succeeds. */
function ends(worker: Worker, which: number, ending: Ending): Step {
  return step(`${ending}(${worker.id}, ${which})`, async (model, world) => {
    const runs = model.held.get(worker.id) ?? [];
    const run = runs[which % Math.max(1, runs.length)];
    if (!run) return;
    const thread = threadOf(model, run);
    const isMine = isHeldBy(thread, run, worker.id);
    if (ending === 'restart') {
      const next = await restart(world.database, worker, run);
      expect(next !== null).toBe(isMine && thread.attempt < lease.maxAttempts);
      if (next) adopt(model, worker, next);
      return;
    }
    const status = ending === 'finish' ? 'succeeded' : 'failed';
    const error = { errorCode: 'model_failed', errorMessage: 'It broke.' };
    const isStored = await world.end(run, status === 'failed' ? { status, ...error } : { status });
    // Repeating what is stored already is a yes as well: its answer may have been lost.
    const ended = thread.ended.get(run.messageId);
    expect(isStored).toBe(isMine || (ended?.answeredBy === run.epoch && ended.status === status));
    if (!isMine) return;
    thread.ended.set(run.messageId, { status, answeredBy: run.epoch });
    thread.state = ending === 'finish' ? 'ready' : 'error';
  });
}

const worker = fc.constantFrom(...workers);
const which = fc.nat({ max: 5 });
const ending = fc.constantFrom<Ending>('finish', 'finish', 'fail', 'restart');

const commands = [
  which.map((thread) => sends(thread, null)),
  fc.tuple(which, worker).map((values) => sends(...values)),
  worker.map(claims),
  worker.map(takesOver),
  worker.map(beats),
  which.map(expires),
  fc.tuple(worker, which, ending).map((values) => ends(...values)),
];

const world = openedWorld();

interface Found {
  threadId: string;
  state: string;
  epoch: bigint;
  live: number;
  responses: { id: string; status: string; epoch: number; attempt: number; answers: string[] }[];
}

async function check({ threads }: Model): Promise<void> {
  // Everything of the threads, in one statement.
  const found = await world().database.$queryRaw<Found[]>`
    SELECT t.id AS "threadId", t.state::text AS state, t.epoch,
      (SELECT count(*)::int FROM response r WHERE r.thread_id = t.id AND r.status IN ('queued', 'running')) AS live,
      (SELECT jsonb_agg(jsonb_build_object('id', r.message_id, 'status', r.status, 'epoch', r.epoch, 'attempt', r.attempt,
          'answers', (SELECT coalesce(jsonb_agg(m.contents -> 0 ->> 'text'), '[]') FROM message m WHERE m.reply_to_id = r.message_id)))
        FROM response r WHERE r.thread_id = t.id) AS responses
    FROM thread t`;
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

async function setup(threadCount: number): Promise<{ model: Model; real: ProtocolWorld }> {
  await world().removeThreads();
  const threads: ThreadModel[] = [];
  for (let count = 0; count < threadCount; count += 1) {
    const asked = await world().ask();
    const first = { state: 'waiting', epoch: 0, attempt: 0, owner: null, leaseIsOver: false } as const;
    threads.push({ ...asked, ...first, ended: new Map() });
  }
  const held = new Map(workers.map(({ id }) => [id, []]));
  return { model: { threads, held }, real: world() };
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
