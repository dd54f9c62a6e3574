/**
 * What a statement requires of a thread whose messages were read before it: a statement that waits for the thread's lock sees that
 * row anew, but all messages as they were when it began. So it may rely on what was read only if the row says that nothing changed.
 */
import { Prisma } from '../../../prisma/generated/client/client.js';

export interface ConversationVersion {
  lastSequence: number;
  branchVersion: number;
}

/** A condition that the thread `t` has got no message and no other branch since. */
export function unchangedSql({ lastSequence, branchVersion }: ConversationVersion): Prisma.Sql {
  return Prisma.sql`t.last_sequence = ${lastSequence} AND t.branch_version = ${branchVersion}`;
}
