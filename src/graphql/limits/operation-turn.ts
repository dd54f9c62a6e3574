/**
 * The turn of an operation among those of its user. It lasts while the operation works, not while it waits, and covers
 * one statement at a time. Fields that resolve concurrently take further turns for their statements if these are free,
 * and otherwise wait for the operation's own turn. A user therefore never uses more database connections than turns,
 * and since nobody waits for a second turn, there is no deadlock.
 */
import type { FairSemaphore, Release } from '../../platform/fairness/fair-semaphore.js';
import type { Principal } from '../../platform/fairness/principal.js';
import type { Turn } from '../../platform/fairness/turn.js';

/**
 * A group of statements that begin together. Prisma batches lookups by unique key that begin in the same tick, so
 * loading fifty items one by one takes one connection and needs one turn.
 */
class StatementGroup {
  readonly #onSent: () => unknown;
  #begin: () => void = () => undefined;
  readonly #begun = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });
  readonly #results: Promise<unknown>[] = [];

  /** Calls `onSent` once no statement can join any more. */
  constructor(onSent: () => unknown) {
    this.#onSent = onSent;
  }

  /** Adds a statement, which begins with the group; resolves to its result. */
  add<T>(statement: () => PromiseLike<T>): Promise<T> {
    const result = this.#begun.then(statement);
    this.#results.push(result);
    return result;
  }

  /** Begins all statements. Resolves when all have settled. */
  run(): Promise<void> {
    this.#begin();
    return new Promise((resolve) => {
      process.nextTick(() => {
        this.#onSent();
        void Promise.allSettled(this.#results).then(() => resolve());
      });
    });
  }
}

/** After an operation has ended or its caller left, remaining statements run without a turn, one after another. */
const withoutTurn: Release = () => undefined;

export class Permit implements Turn {
  readonly #turns: FairSemaphore;
  readonly #principal: Principal;
  readonly #signal: AbortSignal;
  /** Null while the turn is suspended, so that others may have it. */
  #release: Release | null;
  /** Whether a statement is using it. */
  #isUsed = false;
  /** Number of waits during which the turn is suspended. */
  #suspensions = 0;
  #works: Promise<unknown> = Promise.resolve();
  #refusal: Error | undefined;
  #isOver = false;
  readonly #waiting: StatementGroup[] = [];
  /** Groups that statements can still join, by batch key. */
  readonly #open = new Map<string, StatementGroup>();

  constructor(turns: FairSemaphore, principal: Principal, signal: AbortSignal, release: Release) {
    this.#turns = turns;
    this.#principal = principal;
    this.#signal = signal;
    this.#release = release;
  }

  async suspend<T>(wait: () => Promise<T>): Promise<T> {
    this.#suspensions += 1;
    this.#releaseUnused();
    try {
      return await wait();
    } finally {
      this.#suspensions -= 1;
      if (this.#suspensions === 0) await this.#takeBack();
    }
  }

  lastsUntil(work: Promise<unknown>): void {
    this.#works = Promise.allSettled([this.#works, work]);
  }

  refuse(reason: Error): void {
    this.#refusal = reason;
  }

  /** Releases the turn when all work has settled. */
  async end(): Promise<void> {
    await this.#works;
    this.#isOver = true;
    this.#releaseUnused();
  }

  /**
   * Runs a statement as soon as there is a turn for it. Statements with the same `batch` that begin in the same tick
   * become one statement and need one turn.
   */
  run<T>(statement: () => PromiseLike<T>, batch?: string): Promise<T> {
    if (this.#refusal) return Promise.reject(this.#refusal);
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

  /** The fast path: most statements begin when nothing else of the operation waits. */
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
    this.#releaseUnused();
  }

  #takeTurn(): (() => void) | null {
    return this.#takeOwn() ?? this.#turns.tryAcquire(this.#principal);
  }

  /** The operation's own turn, if it is held and unused. */
  #takeOwn(): (() => void) | null {
    if (!this.#release || this.#isUsed) return null;
    this.#isUsed = true;
    return () => {
      this.#isUsed = false;
    };
  }

  #releaseUnused(): void {
    if (this.#isUsed || (this.#suspensions === 0 && !this.#isOver)) return;
    this.#release?.();
    this.#release = this.#isOver ? withoutTurn : null;
  }

  async #takeBack(): Promise<void> {
    if (this.#release) return;
    try {
      const release = await this.#turns.acquire(this.#principal, { signal: this.#signal, returning: true });
      if (this.#release || this.#suspensions > 0) release();
      else this.#release = release;
    } catch (error) {
      // A caller who left needs no turn; only an acquired turn must be released.
      if (!this.#signal.aborted) throw error;
      this.#release ??= withoutTurn;
    }
    this.#runNext();
    this.#releaseUnused();
  }
}
