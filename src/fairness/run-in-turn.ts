import type { FairSemaphore } from './fair-semaphore.js';
import type { Party } from './party.js';

export interface Caller {
  turns: FairSemaphore;
  viewer: Party;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
}

/** What a read gives when it is the caller's turn; null where the caller leaves before that. */
export async function runInTurn<T>({ turns, viewer, signal }: Caller, read: () => Promise<T>): Promise<T | null> {
  let release: () => void;
  try {
    release = await turns.acquire(viewer, { signal });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
  return await read().finally(release);
}
