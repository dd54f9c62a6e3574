/**
 * What a statement requires of a thread whose messages were read before it: a statement that waits for the thread's lock sees that
 * row anew, but all messages as they were when it began. So it may rely on what was read only if the row says that nothing changed.
 */
import { Prisma } from '../../../prisma/generated/client/client.js';
import { ThreadNotReadyError } from '../../errors.js';

export interface ConversationVersion {
  lastSequence: number;
  branchVersion: number;
}

/** A condition that the thread `t` has got no message and no other branch since. */
export function unchangedSql({ lastSequence, branchVersion }: ConversationVersion): Prisma.Sql {
  return Prisma.sql`t.last_sequence = ${lastSequence} AND t.branch_version = ${branchVersion}`;
}

const tries = 5;

/**
 * Reads a thread and then changes it, once more whenever others were faster, which `attempt` tells by null. Throws a
 * `ThreadNotReadyError` if they were each time: the thread is busy with what they sent, whatever state was read.
 */
export async function unlessOvertaken<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let left = tries; left > 0; left -= 1) {
    const done = await attempt();
    if (done !== null) return done;
  }
  throw new ThreadNotReadyError('waiting');
}
