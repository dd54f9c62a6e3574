/**
 * What is committed of the threads of a case, read after each commit and held against what was there before: the epoch and the
 * attempts of a thread only grow, a response only goes forward and ends once, and what somebody has asked to stop is neither
 * started anew nor stored as a failure.
 */
import type pg from 'pg';
import { expect } from 'vitest';

export interface CommittedResponse {
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
