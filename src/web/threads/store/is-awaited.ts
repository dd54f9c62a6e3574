import type { Thread } from '../../api/types.js';

/** Whether an answer is pending according to the state of the thread. */
export function isAwaited(thread: Thread | null): boolean {
  return thread?.state === 'WAITING' || thread?.state === 'ACTIVE';
}
