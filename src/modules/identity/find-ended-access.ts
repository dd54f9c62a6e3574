/** Finds access that has ended without a notification, with one statement for everything that is open in a process. */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import type { OpenKeys } from './open-access.js';

/** Returns the keys that have ended, in the form of notifications. */
export async function findEndedAccess(database: PrismaClient, { tokenIds, views }: OpenKeys): Promise<string[]> {
  const threadIds = views.map(({ threadId }) => threadId);
  const userIds = views.map(({ userId }) => userId);
  const rows = await database.$queryRaw<{ ended: string }[]>`
    SELECT o.id AS ended FROM unnest(${tokenIds}::text[]) AS o(id)
    WHERE NOT EXISTS (
        SELECT FROM access_token k JOIN user_account u ON u.id = k.user_id
        WHERE k.id = o.id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND u.removed_at IS NULL)
      AND NOT EXISTS (
        SELECT FROM session s JOIN user_account u ON u.id = s.user_id
        WHERE s.id = o.id AND s.expires_at > now() AND u.removed_at IS NULL)
    UNION
    SELECT concat_ws(' ', o.thread_id, t.owner_id) FROM unnest(${threadIds}::text[], ${userIds}::text[]) AS o(thread_id, user_id)
    LEFT JOIN thread t ON t.id = o.thread_id WHERE t.id IS NULL OR (t.is_private AND t.owner_id <> o.user_id)`;
  return rows.map(({ ended }) => ended);
}
