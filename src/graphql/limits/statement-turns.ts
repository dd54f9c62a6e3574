/**
 * Turns for the statements of one operation. Its permit covers one statement at a time. Fields that resolve concurrently
 * take further permits for theirs if these are free, and otherwise wait for the operation's own. A user therefore never
 * uses more database connections than permits, and since nobody waits for a second permit, there is no deadlock.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import type { FairSemaphore, Release } from '../../platform/fairness/fair-semaphore.js';
import type { Principal } from '../../platform/fairness/principal.js';

export class StatementTurns {
  readonly #permits: FairSemaphore;
  readonly #principal: Principal;
  readonly #release: Release;
  /** Statements in order of arrival, by what makes them one. */
  readonly #waiting = new Map<unknown, (() => Promise<void>)[]>();
  /** Whether a statement uses the operation's own permit. */
  #isUsed = false;
  #isOver = false;
  /** Set when no further statement may begin. */
  #stopped: { reason: Error | undefined } | null = null;

  /** `release` releases the operation's own permit. */
  constructor(permits: FairSemaphore, principal: Principal, release: Release) {
    this.#permits = permits;
    this.#principal = principal;
    this.#release = release;
  }

  /**
   * Runs a statement as soon as there is a permit for it. Statements with the same `batch` that wait together begin
   * together, because Prisma makes one of them.
   */
  run<T>(statement: () => PromiseLike<T>, batch: unknown = statement): Promise<T> {
    return new Promise((resolve, reject) => {
      const begin = async () => {
        if (this.#stopped?.reason) reject(this.#stopped.reason);
        if (this.#stopped) return;
        try {
          resolve(await statement());
        } catch (error) {
          reject(error);
        }
      };
      const together = this.#waiting.get(batch);
      if (together) together.push(begin);
      else {
        this.#waiting.set(batch, [begin]);
        process.nextTick(() => this.#runNext());
      }
    });
  }

  /** Lets no further statement begin: each fails with the reason or, where nobody waits for it any more, never settles. */
  stop(reason?: Error): void {
    this.#stopped = { reason };
  }

  /** Releases the permit as soon as no statement uses it. */
  end(): void {
    this.#isOver = true;
    if (!this.#isUsed) this.#release();
  }

  #runNext(): void {
    for (const [batch, together] of this.#waiting) {
      const release = this.#takePermit();
      if (!release) return;
      this.#waiting.delete(batch);
      void Promise.all(together.map((begin) => begin())).then(() => {
        release();
        this.#runNext();
      });
    }
  }

  #takePermit(): Release | null {
    if (this.#isUsed) return this.#permits.tryAcquire(this.#principal);
    this.#isUsed = true;
    return () => {
      this.#isUsed = false;
      if (this.#isOver) this.#release();
    };
  }
}

/**
 * The database client of an operation. A transaction counts as one statement and uses the client that it is given; it must
 * be a function, because the statements of an array would begin on their own.
 */
export function databaseInTurns(database: PrismaClient, turns: StatementTurns): PrismaClient {
  return inTurns(database, '', turns);
}

const ofClient = /^\$(query|execute|transaction)/;

/** `model` is the name of a model, or empty for the client. */
function inTurns<T extends object>(object: T, model: string, turns: StatementTurns): T {
  return new Proxy(object, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (typeof property === 'symbol' || property.startsWith('_')) return value;
      if (typeof value === 'function' && (model || ofClient.test(property))) {
        return (...args: unknown[]) => {
          const batch = property.startsWith('findUnique') ? batchKey(model, property, args[0]) : undefined;
          return turns.run(() => Reflect.apply(value, target, args) as PromiseLike<unknown>, batch);
        };
      }
      const isModel = !model && !property.startsWith('$') && typeof value === 'object' && value !== null;
      return isModel ? inTurns(value, property, turns) : value;
    },
  });
}

/** A key that is equal for lookups that Prisma makes one statement of: all but the values of the unique key. */
function batchKey(model: string, method: string, search: unknown): string {
  const { where = {}, ...rest } = search as { where?: object };
  return JSON.stringify([model, method, Object.keys(where), rest], (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
