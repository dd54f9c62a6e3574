/**
 * Bounds what one user can make others see: they count as writing in at most ten threads at once, and an announcement
 * within two seconds of the one before it changes nothing.
 */
import type { Place } from './roster.js';

/** Threads in which one user writes at once. */
export const mostThreads = 10;
const gapMs = 2_000;

interface Announced {
  at: number;
  until: number;
}

export class WritingQuota {
  /** By user and thread. */
  readonly #announced = new Map<string, Map<string, Announced>>();

  /** Whether an announcement takes effect, until `until`. */
  take({ threadId, userId }: Place, { now, until }: { now: number; until: number }): boolean {
    const threads = this.#announced.get(userId) ?? new Map<string, Announced>();
    for (const [id, announced] of threads) if (announced.until <= now) threads.delete(id);
    const last = threads.get(threadId);
    if (last ? now - last.at < gapMs : threads.size >= mostThreads) return false;
    this.#announced.set(userId, threads.set(threadId, { at: now, until }));
    return true;
  }

  /** The user has sent their message, so the next announcement takes effect at once. */
  release({ threadId, userId }: Place): void {
    const threads = this.#announced.get(userId);
    if (threads?.delete(threadId) && threads.size === 0) this.#announced.delete(userId);
  }

  expire(now: number): void {
    for (const [userId, threads] of this.#announced) {
      for (const [threadId, { until }] of threads) if (until <= now) this.release({ threadId, userId });
    }
  }

  get size(): number {
    return this.#announced.size;
  }
}
