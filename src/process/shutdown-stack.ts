/** The ends of what was started, run in the reverse order. It knows what it waits for, so that whatever hangs can be named. */
interface Part {
  name: string;
  end: () => Promise<unknown>;
}

export class ShutdownStack {
  readonly #parts: Part[] = [];
  #ending: string | null = null;

  /** What is being ended at this moment; null where nothing is. */
  get ending(): string | null {
    return this.#ending;
  }

  add(name: string, end: () => Promise<unknown>): void {
    this.#parts.unshift({ name, end });
  }

  /** Ends every part; one that fails does not keep the others alive. Throws the first failure, after the last part. */
  async end(): Promise<void> {
    const failures: unknown[] = [];
    for (const { name, end } of this.#parts.splice(0)) {
      await this.awaitEnd(name, end()).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Waits for the end of something that has an order of its own. */
  async awaitEnd(name: string, ended: Promise<unknown>): Promise<void> {
    this.#ending = name;
    try {
      await ended;
    } finally {
      this.#ending = null;
    }
  }
}
