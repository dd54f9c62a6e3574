/** What follows from the state of a thread, and which of two versions is newer, since they may arrive out of order. */
import type { Thread } from '../../api/types.js';

/**
 * Whether `thread` is older than `known`. Every change of the conversation advances `updatedAt`, except the start of an
 * answer; pins and tags do not.
 */
export function isOlder(thread: Thread, known: Thread): boolean {
  if (thread.updatedAt !== known.updatedAt) return thread.updatedAt < known.updatedAt;
  return thread.state === 'WAITING' && known.state === 'ACTIVE';
}

/** Whether an answer is pending according to the state of the thread. */
export function isAwaited(thread: Thread | null): boolean {
  return thread?.state === 'WAITING' || thread?.state === 'ACTIVE';
}
