/** Rates an assistant message. There is at most one rating per user and message; a new one replaces it. */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { NotAnAnswerError, NotFoundError } from '../../errors.js';
import type { Viewer } from '../identity/authenticate.js';
import { orNotFound } from '../sql-state.js';
import { visibleMessageSql } from '../threads/visibility.js';

export interface Rating {
  threadId: string;
  messageId: string;
  positive: boolean;
  text: string | null;
}

/**
 * Stores the rating. Throws a `NotFoundError` if the viewer cannot see the message in this thread, and a
 * `NotAnAnswerError` if it is not an assistant message.
 */
export async function rateMessage(database: PrismaClient, viewer: Viewer, rating: Rating): Promise<void> {
  const rated = database.$queryRaw<{ role: string }[]>`
    WITH message AS (${visibleMessageSql(viewer, rating)}),
    rated AS (
      INSERT INTO feedback (message_id, user_id, positive, text, created_at, updated_at)
      SELECT id, ${viewer.userId}, ${rating.positive}, ${rating.text}, clock_timestamp(), clock_timestamp()
      FROM message WHERE role = 'assistant'
      ON CONFLICT (message_id, user_id) DO UPDATE
        SET positive = excluded.positive, text = excluded.text, updated_at = excluded.updated_at)
    SELECT role::text FROM message`;
  const [message] = await orNotFound('message', rated);
  if (!message) throw new NotFoundError('message');
  if (message.role !== 'assistant') throw new NotAnAnswerError();
}
