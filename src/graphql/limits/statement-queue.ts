/**
 * Runs the statements of one operation one after another, however many of its fields ask at the same time. A user therefore
 * never uses more database connections than permits.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';

export class StatementQueue {
  /** Statements that have not begun, by what makes them one. */
  readonly #waiting = new Map<unknown, (() => Promise<void>)[]>();
  #last = Promise.resolve();
  /** Set when no further statement may begin. */
  #stopped: { reason: Error | undefined } | null = null;

  /** Resolves when all statements so far have ended, or will not begin. */
  get idle(): Promise<void> {
    return this.#last;
  }

  /**
   * Runs a statement after those before it. Statements with the same `batch` that wait together begin together, because
   * Prisma makes one of them.
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
        this.#last = this.#last.then(() => this.#runAll(batch));
      }
    });
  }

  /** Lets no further statement begin: each fails with the reason or, where nobody waits for it any more, never settles. */
  stop(reason?: Error): void {
    this.#stopped = { reason };
  }

  async #runAll(batch: unknown): Promise<void> {
    // Fields that are resolved at the same time have asked by then.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const together = this.#waiting.get(batch) ?? [];
    this.#waiting.delete(batch);
    await Promise.all(together.map((begin) => begin()));
  }
}

/**
 * The database client of an operation. A transaction counts as one statement and uses the client that it is given; it must
 * be a function, because the statements of an array would begin on their own.
 */
export function queuedDatabase(database: PrismaClient, statements: StatementQueue): PrismaClient {
  return queued(database, '', statements);
}

const ofClient = /^\$(query|execute|transaction)/;

/** `model` is the name of a model, or empty for the client. */
function queued<T extends object>(object: T, model: string, statements: StatementQueue): T {
  return new Proxy(object, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (typeof property === 'symbol' || property.startsWith('_')) return value;
      if (typeof value === 'function' && (model || ofClient.test(property))) {
        return (...args: unknown[]) => {
          const batch = property.startsWith('findUnique') ? batchKey(model, property, args[0]) : undefined;
          return statements.run(() => Reflect.apply(value, target, args) as PromiseLike<unknown>, batch);
        };
      }
      const isModel = !model && !property.startsWith('$') && typeof value === 'object' && value !== null;
      return isModel ? queued(value, property, statements) : value;
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
