/** What an actor of the model of overlapping transactions does: transactions of one statement of the protocol, or of two on one thread. */

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
import type { Transaction } from './case.js';
import type { Act } from './lane.js';
import type { OverlapLedger } from './ledger.js';

/** A run that was given to a worker, and that it believes to have from then on. */
export interface HeldRun {
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
