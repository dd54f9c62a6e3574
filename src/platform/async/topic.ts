/**
 * The waiters of a topic. Each is called once and then removed, and can be removed earlier: reactions to a shared
 * promise cannot, and would accumulate with each reader that leaves. A topic exists only while it has readers, so the
 * registry does not grow with the number of names.
 */
/** What wakes a waiter writes to a socket of its own. Beyond this number, signals in quick succession wake all of them once. */
const crowd = 32;
const crowdPauseMs = 60;

export class Topic {
  readers = 0;
  /** Increases with each invalidation, so that one between two waits is not lost. */
  revision = 0;
  #waiters = new Set<() => void>();
  /** Since a crowd was woken: the number of signals that it will be woken for. */
  #pause: { signals: number } | null = null;

  /** Calls `wake` at the next signal, unless the returned function is called first. */
  wait(wake: () => void): () => void {
    const waiters = this.#waiters;
    waiters.add(wake);
    return () => waiters.delete(wake);
  }

  /** A crowd is woken at once too, and then for all signals of the next 60 ms together. */
  wake(): void {
    if (this.#pause) this.#pause.signals += 1;
    else this.#wakeAll();
  }

  invalidate(): void {
    this.revision += 1;
    this.#wakeAll();
  }

  #wakeAll(): void {
    if (this.#waiters.size === 0) return;
    const waiters = this.#waiters;
    this.#waiters = new Set();
    if (waiters.size > crowd) this.#rest();
    for (const wake of waiters) wake();
  }

  #rest(): void {
    const pause = { signals: 0 };
    this.#pause = pause;
    setTimeout(() => {
      if (this.#pause !== pause) return;
      this.#pause = null;
      if (pause.signals > 0) this.#wakeAll();
    }, crowdPauseMs).unref();
  }

  get waiting(): number {
    return this.#waiters.size;
  }
}

export class Topics {
  readonly #byName = new Map<string, Topic>();

  enter(name: string): Topic {
    const topic = this.#byName.get(name) ?? new Topic();
    this.#byName.set(name, topic);
    topic.readers += 1;
    return topic;
  }

  leave(name: string, topic: Topic): void {
    topic.readers -= 1;
    if (topic.readers === 0) this.#byName.delete(name);
  }

  get(name: string): Topic | undefined {
    return this.#byName.get(name);
  }

  all(): Iterable<Topic> {
    return this.#byName.values();
  }
}
