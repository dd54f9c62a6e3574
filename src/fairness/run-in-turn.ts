import type { FairSemaphore } from './fair-semaphore.js';
import type { Party } from './party.js';

export interface Caller {
  turns: FairSemaphore;
  viewer: Party;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
}

/** What a read gives when it is the caller's turn; null where it gives nothing because the caller has left. */
export async function runInTurn<T>({ turns, viewer, signal }: Caller, read: () => Promise<T>): Promise<T | null> {
  try {
    return await turns.run(viewer, read, signal);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
