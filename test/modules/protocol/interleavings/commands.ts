/** What senders and workers can do, each as a step that knows what must come of it. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { ThreadNotReadyError } from '../../../../src/errors.js';
import { claim } from '../../../../src/modules/responses/protocol/claim.js';
import type { ClaimedResponse } from '../../../../src/modules/responses/protocol/claimed-response.js';
import { heartbeat } from '../../../../src/modules/responses/protocol/lease.js';
import { reclaim } from '../../../../src/modules/responses/protocol/reclaim.js';
import { restart } from '../../../../src/modules/responses/protocol/restart.js';
import { lease, ReservedSlots } from '../protocol-world.js';
import { adopt, fail, isHeldBy, names, Step, threadOf, workers } from './state.js';

function send(which: number): Step {
  return new Step(`send(${which})`, async (model, { world }) => {
    const thread = model.threads[which % model.threads.length] ?? expect.fail('no thread');
    if (thread.state !== 'ready') {
      await expect(world.askAgain(thread.threadId)).rejects.toThrow(ThreadNotReadyError);
      return;
    }
    const { messageId } = await world.askAgain(thread.threadId);
    Object.assign(thread, { messageId, state: 'waiting', attempt: 0, owner: null, leaseIsOver: false });
  });
}

/** In a slot of the worker, which claims the response unless another waits. */
function sendsInSlot(which: number, index: number): Step {
  const worker = workers[index] ?? expect.fail('no worker');
  return new Step(`sendInSlot(${which}, ${worker.id})`, async (model, { world, held }) => {
    const thread = model.threads[which % model.threads.length] ?? expect.fail('no thread');
    const slots = new ReservedSlots(worker);
    if (thread.state !== 'ready') {
      await expect(world.askAgain(thread.threadId, { slots })).rejects.toThrow(ThreadNotReadyError);
      return;
    }
    const isFirst = !model.threads.some(({ state }) => state === 'waiting');
    const { messageId } = await world.askAgain(thread.threadId, { slots });
    Object.assign(thread, { messageId, state: 'waiting', attempt: 0, owner: null, leaseIsOver: false });
    expect(slots.begun.length).toBe(isFirst ? 1 : 0);
    for (const { run } of slots.begun) adopt(model, held, { run, worker });
  });
}

function claims(index: number): Step {
  const worker = workers[index] ?? expect.fail('no worker');
  return new Step(`claim(${worker.id})`, async (model, { world, held }) => {
    const taken = await claim(world.database, worker, 1);
    expect(taken.length).toBe(Math.min(1, model.threads.filter(({ state }) => state === 'waiting').length));
    for (const run of taken) adopt(model, held, { run, worker });
  });
}

function takesOver(index: number): Step {
  const worker = workers[index] ?? expect.fail('no worker');
  return new Step(`reclaim(${worker.id})`, async (model, { world, held }) => {
    const lost = model.threads.filter(({ state, leaseIsOver }) => state === 'active' && leaseIsOver);
    const taken = await reclaim(world.database, worker, 10);
    const tired = lost.filter(({ attempt }) => attempt >= lease.maxAttempts);
    expect(taken.length).toBe(lost.length - tired.length);
    for (const thread of tired) fail(thread);
    for (const run of taken) adopt(model, held, { run, worker });
  });
}

function beats(index: number): Step {
  const worker = workers[index] ?? expect.fail('no worker');
  return new Step(`heartbeat(${worker.id})`, async (model, { world, held }) => {
    const runs = held.get(worker.id) ?? [];
    const mine = runs.filter((run) => isHeldBy(threadOf(model, run), run, worker.id));
    const kept = await heartbeat(world.database, worker, runs);
    const nameOf = ({ messageId, epoch }: ClaimedResponse) => `${messageId} ${epoch}`;
    expect(kept.map(nameOf).toSorted()).toEqual(mine.map(nameOf).toSorted());
    for (const run of mine) threadOf(model, run).leaseIsOver = false;
  });
}

function expires(which: number): Step {
  return new Step(`expireLease(${which})`, async (model, { world }) => {
    const thread = model.threads[which % model.threads.length];
    if (thread?.state !== 'active') return;
    await world.expireLease(thread);
    thread.leaseIsOver = true;
  });
}

type Ending = 'finish' | 'fail' | 'restart';

/** Any run that the worker believes to have, the lost ones included; it forgets the run only where it succeeds. */
function ends(index: number, which: number, ending: Ending): Step {
  const worker = workers[index] ?? expect.fail('no worker');
  return new Step(`${ending}(${worker.id}, ${which})`, async (model, { world, held }) => {
    const runs = held.get(worker.id) ?? [];
    const run = runs[which % Math.max(1, runs.length)];
    if (!run) return;
    const thread = threadOf(model, run);
    const isMine = isHeldBy(thread, run, worker.id);
    if (ending === 'restart') {
      const next = await restart(world.database, worker, run);
      expect(next !== null).toBe(isMine && thread.attempt < lease.maxAttempts);
      if (next) adopt(model, held, { run: next, worker });
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

const worker = fc.nat({ max: names.length - 1 });
const which = fc.nat({ max: 5 });
const ending = fc.constantFrom<Ending>('finish', 'finish', 'fail', 'restart');

export const commands = [
  which.map(send),
  fc.tuple(which, worker).map((values) => sendsInSlot(...values)),
  worker.map(claims),
  worker.map(takesOver),
  worker.map(beats),
  which.map(expires),
  fc.tuple(worker, which, ending).map((values) => ends(...values)),
];
