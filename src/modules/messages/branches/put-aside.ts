/**
 * Puts a branch aside. Its messages stay as they are; they leave the active conversation together, and `hidden_with_id` says
 * with which variant, so that selecting that variant brings back exactly these.
 */
import { Prisma } from '../../../../prisma/generated/client/client.js';

/**
 * A query of a branching statement; `thread` is the statement's row of the thread, none if it was refused. The first message of
 * the branch becomes a variant of its turn. The thread is named once more, so that the planner uses the index of its messages.
 */
export function putAsideSql(threadId: string, { id, sequence }: { id: string; sequence: number }): Prisma.Sql {
  return Prisma.sql`
    UPDATE message m SET active = false, hidden_with_id = ${id},
      turn_id = CASE WHEN m.id = ${id} THEN coalesce(m.turn_id, m.id) ELSE m.turn_id END
    FROM thread WHERE m.thread_id = thread.id AND m.thread_id = ${threadId} AND m.active AND m.sequence >= ${sequence}`;
}

/** The query that moves the attachments of a turn to another of its variants: all of them show the same ones. */
export function moveAttachmentsSql({ from, to }: { from: string; to: string }): Prisma.Sql {
  return Prisma.sql`UPDATE attachment a SET message_id = ${to} FROM thread WHERE a.message_id = ${from}`;
}
