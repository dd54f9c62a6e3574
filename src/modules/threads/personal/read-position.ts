/**
 * How far each person has read a thread. A position only moves forward, so that of two browsers the one that has read further
 * counts. A thread without a position was never marked as read by this person and is not unread: otherwise every thread of an
 * organization would be unread to each new member.
 */
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { NotFoundError } from '../../../errors.js';
import type { Viewer } from '../../identity/authenticate.js';
import { orNotFound } from '../../sql-state.js';
import { visibleMessageSql } from '../visibility.js';

/**
 * Notes that the viewer has read the thread up to a message. Whoever has read the newest message of the active branch
 * has read the thread, whatever the other branches have. Throws a `NotFoundError` if the viewer cannot see the message
 * in this thread. A crash of PostgreSQL may lose the last second: the thread is then unread again.
 */
export async function markRead(
  database: PrismaClient,
  viewer: Viewer,
  message: { threadId: string; messageId: string },
): Promise<void> {
  const marked = database.$queryRaw<unknown[]>`
    WITH read AS (${visibleMessageSql(viewer, message)}),
    marked AS (
      INSERT INTO read_position AS p (user_id, thread_id, sequence, read_at)
      SELECT ${viewer.userId}, read.thread_id, CASE WHEN EXISTS (
          SELECT 1 FROM message later WHERE later.thread_id = read.thread_id AND later.sequence > read.sequence AND later.active)
        THEN read.sequence ELSE t.last_sequence END, clock_timestamp()
      FROM read JOIN thread t ON t.id = read.thread_id,
        (SELECT set_config('synchronous_commit', 'off', true)) AS commits_without_waiting_for_the_disk
      ON CONFLICT (user_id, thread_id) DO UPDATE SET sequence = excluded.sequence, read_at = excluded.read_at
        WHERE p.sequence < excluded.sequence)
    SELECT sequence FROM read`;
  const found = await orNotFound('message', marked);
  if (found.length === 0) throw new NotFoundError('message');
}
