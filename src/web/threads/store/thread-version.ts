/** Which of two reports of a thread is the later one: they may come by different ways, the later one first. */
import type { Thread } from '../../api/types.js';

/** Whether what is known says more. Each change moves the time of the update, but for the start of an answer. */
export function isOlder(thread: Thread, known: Thread): boolean {
  if (thread.updatedAt !== known.updatedAt) return thread.updatedAt < known.updatedAt;
  return thread.state === 'WAITING' && known.state === 'ACTIVE';
}
