/** Plays a case: makes one of the possible moves after the other, until every actor has ended its transactions. */
import type pg from 'pg';
import { expect } from 'vitest';
import type { ClaimedResponse, Worker } from '../../../../src/modules/responses/protocol/claimed-response.js';
import { workerNamed } from '../protocol-world.js';
import { type Acting, actingOf, type Case, type Stage, type Transaction } from './acts.js';
import { Lane } from './lane.js';

/** The lock that holds a statement up at the thread that is named "held". */
export const holdUpSql = `
  CREATE FUNCTION hold_up() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1);
    RETURN NEW;
  END $$;
  CREATE TRIGGER thread_held_up BEFORE UPDATE ON thread FOR EACH ROW WHEN (OLD.name = 'held') EXECUTE FUNCTION hold_up()`;

const givesRuns = new Set(['send in slot', 'claim', 'reclaim', 'restart']);

/** Somebody with a connection, and what is left to do. */
interface Actor {
  name: string;
  lane: Lane;
  worker: Worker;
  left: Transaction[];
  /** The open transaction. */
  now?: Transaction & Acting;
}

type Move = () => Promise<void>;

export class OverlapPlay {
  /** Each move that was made, for whoever must understand a failure. */
  readonly moves: string[] = [];
  readonly #actors: Actor[];
  readonly #lanes: Lane[];
  readonly #monitor: pg.Client;
  readonly #stage: Stage;
  readonly #picks: number[];
  /** Whether statements are held up at the first thread. */
  #holdsUp: boolean;

  constructor(
    { actors, picks, holdsUp }: Case,
    stage: Stage,
    { lanes, monitor }: { lanes: Lane[]; monitor: pg.Client },
  ) {
    this.#lanes = lanes.slice(0, actors.length);
    this.#monitor = monitor;
    this.#stage = stage;
    this.#picks = [...picks];
    this.#holdsUp = holdsUp;
    this.#actors = this.#lanes.map((lane, index) => {
      const name = ['ann', 'bob', 'cyd', 'dan'][index] ?? '';
      return { name, lane, worker: workerNamed(name), left: [...(actors[index] ?? [])] };
    });
  }

  async run(): Promise<void> {
    if (this.#holdsUp) await this.#monitor.query('SELECT pg_advisory_lock(1)');
    for (;;) {
      const moves = this.#possible();
      const move = moves[(this.#picks.shift() ?? 0) % Math.max(1, moves.length)];
      if (move) {
        await move();
        await Lane.allAtRest(this.#lanes);
      } else if (this.#lanes.some(({ isBusy }) => isBusy)) {
        // They wait for each other, so PostgreSQL ends one of them with an error.
        await this.#monitor.query('SELECT');
      } else break;
      this.#expectNoError();
    }
    if (this.#holdsUp) await this.#letGo();
  }

  #expectNoError(): void {
    for (const { lane, name } of this.#actors) {
      if (!lane.isOpen || !lane.result || !('error' in lane.result)) continue;
      const { error } = lane.result;
      throw new Error(`${name}'s statement failed: ${error}`, { cause: error });
    }
  }

  #possible(): Move[] {
    const ofActors = this.#actors.flatMap((actor) => {
      if (actor.lane.isBusy) return [];
      if (actor.now) return [() => this.#end(actor)];
      return actor.left.length > 0 ? [() => this.#begin(actor)] : [];
    });
    const isNeeded = this.#holdsUp && this.#lanes.some(({ isBusy }) => isBusy);
    // Seldom chosen, so that much comes between.
    return isNeeded ? [...ofActors, ...ofActors, ...ofActors, () => this.#letGo()] : ofActors;
  }

  async #letGo(): Promise<void> {
    this.#holdsUp = false;
    this.moves.push('let go of the first thread');
    await this.#monitor.query('SELECT pg_advisory_unlock(1)');
  }

  async #begin(actor: Actor): Promise<void> {
    const transaction = actor.left.shift();
    if (!transaction) return;
    const { name, lane, worker } = actor;
    actor.now = { ...transaction, ...actingOf(transaction, worker, this.#stage) };
    this.moves.push(`${name}: ${transaction.verb} ${transaction.which}`);
    await lane.start(actor.now.act);
    if (lane.isBusy) this.moves.push(`  ${name} waits`);
  }

  async #end(actor: Actor): Promise<void> {
    const { lane, now, name, worker } = actor;
    if (!now) return;
    delete actor.now;
    this.moves.push(`${name}: ${now.isKept ? 'commit' : 'rollback'} ${now.verb}`);
    const { value } = lane;
    await (now.isKept ? lane.commit() : lane.rollback());
    await this.#stage.ledger.read();
    if (!now.isKept) return;
    if (givesRuns.has(now.verb)) this.#stage.runs.push(...(value as ClaimedResponse[]).map((run) => ({ run, worker })));
    if (now.stops !== undefined) this.#expectStopped(now.stops);
  }

  /** Whoever was told that a response is being stopped finds that it has ended, or that its worker knows. */
  #expectStopped(messageId: string): void {
    const response = this.#stage.ledger.find(messageId);
    const isLive = response?.status === 'queued' || response?.status === 'running';
    expect(
      isLive && response.stopReason === null,
      `the stop of ${messageId} was lost: ${JSON.stringify(response)}`,
    ).toBe(false);
  }
}
