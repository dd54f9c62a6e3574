/** Decides which of two versions of a thread is newer, since they may arrive out of order. */
import type { Thread } from '../../api/types.js';

/**
 * Whether `thread` is older than `known`. Every change of the conversation advances `updatedAt`, except the start of an
 * answer; pins and tags do not.
 */
export function isOlder(thread: Thread, known: Thread): boolean {
  if (thread.updatedAt !== known.updatedAt) return thread.updatedAt < known.updatedAt;
  return thread.state === 'WAITING' && known.state === 'ACTIVE';
}
