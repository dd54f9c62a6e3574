import type { Context } from '../builder.js';

/** What is loaded from, and within which limits. */
export type LoadContext = Pick<Context, 'database' | 'answer'>;

interface Waiting<Key, Value> {
  key: Key;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

/** Loads what the fields of one response ask for at the same time with one statement. */
export class Batches<Key, Value> {
  readonly #load: (context: LoadContext, keys: Key[]) => Promise<readonly Value[]>;
  /** What waits, by response. */
  readonly #queues = new WeakMap<object, Waiting<Key, Value>[]>();

  /** `load` resolves to a value for each key. */
  constructor(load: (context: LoadContext, keys: Key[]) => Promise<readonly Value[]>) {
    this.#load = load;
  }

  /** Rejects as `load` does. */
  load(context: LoadContext, key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      const waiting = { key, resolve, reject };
      const queue = this.#queues.get(context.answer);
      if (queue) {
        queue.push(waiting);
        return;
      }
      const begun = [waiting];
      this.#queues.set(context.answer, begun);
      setImmediate(() => void this.#loadAll(context, begun));
    });
  }

  /** One statement at a time, because what the next may load depends on the previous one. */
  async #loadAll(context: LoadContext, queue: Waiting<Key, Value>[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0);
      try {
        const values = await this.#load(
          context,
          batch.map(({ key }) => key),
        );
        for (const [index, value] of values.entries()) batch[index]?.resolve(value);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#queues.delete(context.answer);
  }
}
