/** What an actor of the model of overlapping transactions does: transactions of one statement of the protocol, or of two on one thread. */
import fc from 'fast-check';
import type pg from 'pg';
import { expect } from 'vitest';
import type { ThreadStateName } from '../../../../src/contract.js';
import { ThreadNotInterruptedError } from '../../../../src/errors.js';
import { keyedRequest } from '../../../../src/modules/messages/sending/idempotency.js';
import { sendMessageIf } from '../../../../src/modules/messages/sending/post-message.js';
import { claim } from '../../../../src/modules/responses/protocol/claim.js';
import { noSlots, type Slots } from '../../../../src/modules/responses/protocol/claim-at-once.js';
import type { ClaimedResponse, Worker } from '../../../../src/modules/responses/protocol/claimed-response.js';
import { failUnclaimed } from '../../../../src/modules/responses/protocol/fail-unclaimed.js';
import { heartbeat, release } from '../../../../src/modules/responses/protocol/lease.js';
import { reclaim } from '../../../../src/modules/responses/protocol/reclaim.js';
import { restart } from '../../../../src/modules/responses/protocol/restart.js';
import { resumeThread } from '../../../../src/modules/responses/protocol/resume-thread.js';
import { forceStop, requestStop } from '../../../../src/modules/responses/protocol/stop.js';
import { type ProtocolWorld, ReservedSlots } from '../protocol-world.js';
import type { Act } from './lane.js';

/** `lost`: active, under a lease that has run out. */
export type Beginning = 'ready' | 'interrupted' | 'active' | 'lost' | 'waiting';

/** How often each is chosen: most often what has broken threads before. */
const weights = {
  stop: 4,
  resend: 5,
  claim: 5,
  send: 2,
  'send in slot': 3,
  'force stop': 1,
  resume: 1,
  succeed: 1,
  fail: 1,
  restart: 1,
  reclaim: 1,
  heartbeat: 1,
  release: 1,
  'fail unclaimed': 1,
};
type Verb = keyof typeof weights;
const verbs = Object.keys(weights) as Verb[];

/** One transaction. `which` picks among the threads, the messages or the runs that there are by then, counted from the newest. */
export interface Transaction {
  verb: Verb;
  which: number;
  isKept: boolean;
}

export interface Case {
  threads: Beginning[];
  /** Whether statements can be held up at the first thread. */
  holdsUp: boolean;
  actors: Transaction[][];
  /** Which of the possible moves is made next; the first, where none is left. */
  picks: number[];
}

const threads = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Beginning>('waiting') },
    { weight: 1, arbitrary: fc.constantFrom<Beginning>('active', 'lost', 'ready', 'interrupted') },
  ),
  { minLength: 1, maxLength: 3 },
);

const transaction = fc.record({
  verb: fc.oneof(...verbs.map((verb) => ({ weight: weights[verb], arbitrary: fc.constant(verb) }))),
  which: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 3 })),
  isKept: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
});

export const cases: fc.Arbitrary<Case> = fc.record({
  threads,
  holdsUp: fc.boolean(),
  actors: fc.array(fc.array(transaction, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 4 }),
  picks: fc.array(fc.nat({ max: 59 }), { minLength: 24, maxLength: 24 }),
});

interface CommittedResponse {
  threadId: string;
  threadEpoch: number;
  messageId: string;
  status: string;
  epoch: number;
  attempt: number;
  stopReason: string | null;
}

const stages = ['queued', 'running', 'succeeded', 'failed', 'interrupted'];
const stageOf = (status: string) => Math.min(2, stages.indexOf(status));

export class OverlapLedger {
  /** Every response there is, the oldest first. */
  responses: CommittedResponse[] = [];
  readonly #monitor: pg.Client;

  constructor(monitor: pg.Client) {
    this.#monitor = monitor;
  }

  /** The response as it was committed last; undefined before it was. */
  find(messageId: string): CommittedResponse | undefined {
    return this.responses.find((row) => row.messageId === messageId);
  }

  /** Reads everything anew; throws where it contradicts itself, or what was there before. */
  async read(): Promise<void> {
    const { rows } = await this.#monitor.query<CommittedResponse & { isImpossible: boolean }>(`
      SELECT t.id AS "threadId", t.epoch::int AS "threadEpoch", r.message_id AS "messageId", r.status::text, r.epoch::int, r.attempt,
        r.stop_reason AS "stopReason", EXISTS (SELECT FROM impossible_pair pair WHERE pair.thread_id = t.id) AS "isImpossible"
      FROM thread t JOIN response r ON r.thread_id = t.id JOIN message m ON m.id = r.message_id ORDER BY m.sequence, t.id`);
    expect(
      rows.filter(({ isImpossible }) => isImpossible),
      'no thread contradicts its response',
    ).toEqual([]);
    for (const before of this.responses) {
      const after = rows.find(({ messageId }) => messageId === before.messageId) ?? expect.fail('a response is gone');
      expect(complaintsOf(before, after), JSON.stringify({ before, after })).toEqual([]);
    }
    this.responses = rows;
  }
}

function complaintsOf(before: CommittedResponse, after: CommittedResponse): string[] {
  const hasEnded = stageOf(before.status) === 2;
  const rules: Record<string, boolean> = {
    'the epoch of a thread only grows': after.threadEpoch >= before.threadEpoch,
    'so do the epoch and the attempts of a response':
      after.epoch >= before.epoch && after.attempt - before.attempt === (after.attempt > before.attempt ? 1 : 0),
    'an attempt has an epoch of its own': after.attempt === before.attempt || after.epoch > before.epoch,
    'a response goes forward': stageOf(after.status) >= stageOf(before.status),
    'it ends once': !hasEnded || (after.status === before.status && after.epoch === before.epoch),
    'a stop is not forgotten': before.stopReason === null || after.stopReason === before.stopReason,
    'what was asked to stop is not begun again': before.stopReason === null || after.attempt === before.attempt,
    'nor stored as a failure': hasEnded || before.stopReason === null || after.status !== 'failed',
  };
  return Object.keys(rules).filter((rule) => !rules[rule]);
}

/** A run that was given to a worker, and that it believes to have from then on. */
interface HeldRun {
  run: ClaimedResponse;
  worker: Worker;
}

export interface Stage {
  world: ProtocolWorld;
  ledger: OverlapLedger;
  threadIds: readonly string[];
  /** Every run that was ever given to a worker, in this order. */
  runs: HeldRun[];
}

export interface Acting {
  act: Act;
  /** The message that the transaction stops, if any. */
  stops?: string;
}

const stopped = 'Ada stopped it.';

/** The transaction as it comes out with what is committed when it begins. */
export function actingOf({ verb, which }: Transaction, worker: Worker, stage: Stage): Acting {
  const { world, ledger, threadIds } = stage;
  const threadId = threadIds.at(-1 - (which % threadIds.length)) ?? '';
  const ofThread = ledger.responses.filter((row) => row.threadId === threadId);
  const messageId = ofThread.at(-1 - (which % ofThread.length))?.messageId ?? '';
  const stop = { viewer: world.viewer, messageId, reason: stopped };
  const mine = stage.runs.filter((held) => held.worker.id === worker.id).map(({ run }) => run);
  switch (verb) {
    case 'send':
      return { act: sends(world, threadId, ['ready', 'interrupted']) };
    case 'send in slot': {
      const slots = new ReservedSlots(worker);
      const send = sends(world, threadId, ['ready', 'interrupted'], slots);
      return { act: (database) => send(database).then(() => slots.begun.map(({ run }) => run)) };
    }
    case 'resend': {
      const send = sends(world, threadId, ['interrupted']);
      return { act: (database) => requestStop(database, stop).then(() => send(database)), stops: messageId };
    }
    case 'stop':
      return { act: (database) => requestStop(database, stop), stops: messageId };
    case 'force stop':
      return { act: (database) => forceStop(database, stop) };
    case 'resume':
      return { act: (database) => resumeThread(database, world.viewer, threadId).catch(notInterrupted) };
    case 'claim':
      return { act: (database) => claim(database, worker, 4 - which) };
    case 'reclaim':
      return { act: (database) => reclaim(database, worker, 4 - which) };
    case 'heartbeat':
      return { act: (database) => heartbeat(database, worker, mine).then(() => []) };
    case 'release':
      return { act: (database) => release(database, mine) };
    case 'fail unclaimed':
      return { act: (database) => failUnclaimed(database, worker, { limitMs: 0 }).then(() => []) };
    default:
      return { act: ending(verb, which, stage) };
  }
}

function sends(world: ProtocolWorld, threadId: string, from: ThreadStateName[], slots: Slots = noSlots): Act {
  const request = keyedRequest(world.viewer, 'test', { key: null, body: null, slots });
  return (database) => sendMessageIf(database, request, { threadId, text: 'And then?', from });
}

/** The end or the restart of a run, which may long be somebody else's. */
function ending(verb: 'succeed' | 'fail' | 'restart', which: number, { world, ledger, runs }: Stage): Act {
  const held = runs.at(-1 - (which % Math.max(1, runs.length)));
  if (!held) return async () => [];
  const { run, worker } = held;
  if (verb === 'restart') {
    return async (database) => [await restart(database, worker, run)].filter((restarted) => restarted !== null);
  }
  const isStopped = ledger.find(run.messageId)?.stopReason !== null;
  if (verb === 'succeed') return (database) => world.end(run, { status: 'succeeded' }, database);
  const failed = { status: 'failed', errorCode: 'model_failed', errorMessage: 'It broke.' } as const;
  return (database) => world.end(run, isStopped ? { status: 'interrupted' } : failed, database);
}

function notInterrupted(error: unknown): void {
  if (!(error instanceof ThreadNotInterruptedError)) throw error;
}
