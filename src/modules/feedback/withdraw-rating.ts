import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { NotFoundError } from '../../errors.js';
import type { Viewer } from '../identity/authenticate.js';
import { visibleMessageSql } from '../threads/visibility.js';

/**
 * Deletes the viewer's rating of a message, if there is one. Throws a `NotFoundError` if the viewer cannot see the message
 * in this thread.
 */
export async function withdrawRating(
  database: PrismaClient,
  viewer: Viewer,
  rated: { threadId: string; messageId: string },
): Promise<void> {
  const [message] = await database.$queryRaw<unknown[]>`
    WITH message AS (${visibleMessageSql(viewer, rated)}),
    withdrawn AS (
      DELETE FROM feedback f USING message WHERE f.message_id = message.id AND f.user_id = ${viewer.userId})
    SELECT id FROM message`;
  if (!message) throw new NotFoundError('message');
}
