/**
 * Stops what was started, in reverse order. It knows which part it is waiting for, so that one that hangs can be named.
 */
import type { Logger } from 'pino';
import { withinMs } from '../platform/async/time-limit.js';

interface Part {
  name: string;
  end: () => Promise<unknown>;
}

export class ShutdownStack {
  readonly #parts: Part[] = [];
  #ending: string | null = null;

  /** The part that is being stopped; null if none is. */
  get ending(): string | null {
    return this.#ending;
  }

  add(name: string, end: () => Promise<unknown>): void {
    this.#parts.unshift({ name, end });
  }

  /** Stops every part, even if one fails. Throws the first error after the last part. */
  async end(): Promise<void> {
    const failures: unknown[] = [];
    for (const { name, end } of this.#parts.splice(0)) {
      await this.awaitEnd(name, end()).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Waits for a part that is stopped outside of the stack. */
  async awaitEnd(name: string, ended: Promise<unknown>): Promise<void> {
    this.#ending = name;
    try {
      await ended;
    } finally {
      this.#ending = null;
    }
  }
}

/** Time limit for stopping what a failed start had started. */
const failedStartMs = 5_000;

/** Runs a start. If it fails, stops what it had added to the stack, then throws its error. */
export async function cleanupOnFailure<T>(logger: Logger, start: (shutdown: ShutdownStack) => Promise<T>): Promise<T> {
  const shutdown = new ShutdownStack();
  try {
    return await start(shutdown);
  } catch (error) {
    // A part that hangs or fails to stop must not hide why the start failed.
    const ended = shutdown.end().catch((err: unknown) => logger.error({ err }, 'a part did not stop cleanly'));
    await withinMs(failedStartMs, ended);
    throw error;
  }
}
