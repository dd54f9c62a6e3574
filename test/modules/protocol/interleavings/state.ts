/**
 * The protocol as a model: what each thread must look like after any sequence of what senders and three workers do. A
 * worker of the model keeps the runs that it believes to be its own, also after it has lost them, as a paused process does.
 */
import type fc from 'fast-check';
import { expect } from 'vitest';
import type { ClaimedResponse, Worker } from '../../../../src/modules/responses/protocol/claimed-response.js';
import { type ProtocolWorld, workerNamed } from '../protocol-world.js';

export interface ThreadModel {
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

export interface Model {
  threads: ThreadModel[];
}

export interface Real {
  world: ProtocolWorld;
  workers: Worker[];
  /** What each worker believes to run. */
  held: Map<string, ClaimedResponse[]>;
  /** Called after each command: holds that the database is what the model says. */
  check: (model: Model) => Promise<void>;
}

type Act = (model: Model, real: Real) => Promise<void>;

export class Step implements fc.AsyncCommand<Model, Real> {
  constructor(
    private readonly name: string,
    private readonly act: Act,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real);
    await real.check(model);
  }

  toString(): string {
    return this.name;
  }
}

export const names = ['ann', 'bob', 'cyd'];
export const workers = names.map(workerNamed);

export const isHeldBy = (thread: ThreadModel, run: ClaimedResponse, name: string) =>
  thread.state === 'active' && thread.epoch === run.epoch && thread.owner === name;

export function threadOf(model: Model, run: ClaimedResponse): ThreadModel {
  return (
    model.threads.find(({ threadId }) => threadId === run.threadId) ?? expect.fail('a thread that is not the test’s')
  );
}

export function adopt(
  model: Model,
  held: Real['held'],
  { run, worker }: { run: ClaimedResponse; worker: Worker },
): void {
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
  held.get(worker.id)?.push(run);
}

export function fail(thread: ThreadModel): void {
  thread.ended.set(thread.messageId, { status: 'failed', answeredBy: null });
  Object.assign(thread, { state: 'error', epoch: thread.epoch + 1 });
}
