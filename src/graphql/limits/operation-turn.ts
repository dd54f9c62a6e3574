/**
 * The turn of an operation among those of its user. It lasts as long as the operation works, not while it only waits, and one
 * statement runs under it at a time. Fields that resolve side by side take further turns for their statements where those are free
 * at that moment, and wait for the operation's own where they are not: so a user holds no more connections of the database than
 * turns, however many fields an operation has, and since nobody waits for a second turn, none can wait for another for ever.
 */
import type { FairSemaphore, Release } from '../../fairness/fair-semaphore.js';
import type { Party } from '../../fairness/party.js';
import { StatementGroup } from './statement-group.js';

export interface Turn {
  /** Lends the turn to others during a wait that holds no connection of the database. */
  lend<T>(wait: () => Promise<T>): Promise<T>;
  /** The turn lasts until this has settled, also where the caller is answered before. */
  lastsUntil(work: Promise<unknown>): void;
}

/** For what needs no turn: streams, and requests that are no operation. */
export const noTurn: Turn = { lend: (wait) => wait(), lastsUntil: () => undefined };

/** What an operation that is over, or whose caller has left, still has to do, it does without a turn, one statement after the other. */
const withoutTurn: Release = () => undefined;

export class HeldTurn implements Turn {
  /** Null while the turn is lent. */
  #release: Release | null;
  /** Whether a statement runs under it. */
  #isUsed = false;
  /** Waits during which the turn is lent. */
  #lendings = 0;
  #works: Promise<unknown> = Promise.resolve();
  #isOver = false;
  readonly #waiting: StatementGroup[] = [];
  /** Those that statements may still join, by what is the same in them. */
  readonly #open = new Map<string, StatementGroup>();

  constructor(
    private readonly turns: FairSemaphore,
    private readonly party: Party,
    private readonly signal: AbortSignal,
    release: Release,
  ) {
    this.#release = release;
  }

  async lend<T>(wait: () => Promise<T>): Promise<T> {
    this.#lendings += 1;
    this.#giveBackUnused();
    try {
      return await wait();
    } finally {
      this.#lendings -= 1;
      if (this.#lendings === 0) await this.#takeBack();
    }
  }

  lastsUntil(work: Promise<unknown>): void {
    this.#works = Promise.allSettled([this.#works, work]);
  }

  /** Gives the turn back as soon as all work has settled. */
  async end(): Promise<void> {
    await this.#works;
    this.#isOver = true;
    this.#giveBackUnused();
  }

  /**
   * Runs what takes one connection, as soon as there is a turn for it. What begins in the same moment with the same `batch` is one
   * statement in the end, and takes one turn.
   */
  run<T>(statement: () => PromiseLike<T>, batch?: string): Promise<T> {
    if (batch === undefined && this.#waiting.length === 0) {
      const release = this.#takeTurn();
      if (release) return this.#runAlone(statement, release);
    }
    const open = batch === undefined ? undefined : this.#open.get(batch);
    if (open) return open.add(statement);
    const group = new StatementGroup(() => batch !== undefined && this.#open.delete(batch));
    const result = group.add(statement);
    if (batch !== undefined) this.#open.set(batch, group);
    this.#waiting.push(group);
    this.#runNext();
    return result;
  }

  #runNext(): void {
    for (;;) {
      const [group] = this.#waiting;
      if (!group) return;
      const release = this.#takeTurn();
      if (!release) return;
      this.#waiting.shift();
      void group.run().then(() => this.#endOne(release));
    }
  }

  /** The usual way: most statements begin when nothing of their operation waits. */
  async #runAlone<T>(statement: () => PromiseLike<T>, release: () => void): Promise<T> {
    try {
      return await statement();
    } finally {
      this.#endOne(release);
    }
  }

  #endOne(release: () => void): void {
    release();
    this.#runNext();
    this.#giveBackUnused();
  }

  #takeTurn(): (() => void) | null {
    return this.#takeOwn() ?? this.turns.tryAcquire(this.party);
  }

  /** The operation's own turn, where it has it and no statement uses it. */
  #takeOwn(): (() => void) | null {
    if (!this.#release || this.#isUsed) return null;
    this.#isUsed = true;
    return () => {
      this.#isUsed = false;
    };
  }

  #giveBackUnused(): void {
    if (this.#isUsed || (this.#lendings === 0 && !this.#isOver)) return;
    this.#release?.();
    this.#release = this.#isOver ? withoutTurn : null;
  }

  async #takeBack(): Promise<void> {
    if (this.#release) return;
    try {
      const release = await this.turns.acquire(this.party, { signal: this.signal, returning: true });
      if (this.#release || this.#lendings > 0) release();
      else this.#release = release;
    } catch (error) {
      // Whoever has left needs no turn: what is left to do is to give back what was waited for.
      if (!this.signal.aborted) throw error;
      this.#release ??= withoutTurn;
    }
    this.#runNext();
    this.#giveBackUnused();
  }
}
