import type { FairSemaphore } from './fair-semaphore.js';
import type { Principal } from './principal.js';

export interface Caller {
  turns: FairSemaphore;
  viewer: Principal;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
}

/** Runs a read in the caller's turn; null if the caller has left. */
export async function runInTurn<T>({ turns, viewer, signal }: Caller, read: () => Promise<T>): Promise<T | null> {
  try {
    return await turns.run(viewer, read, signal);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
