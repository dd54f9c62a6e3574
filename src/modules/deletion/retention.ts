/** Deletes the threads of organizations that keep them for some days only, once they have not changed for that long. */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';
import { deleteSomeThreads } from './delete-thread.js';

/** The longest that an organization may state. */
export const maximumRetentionDays = 36_500;

/** Deletes some threads whose time is over and in which nothing is under way, at most `most`. Returns how many: 0 if there are none. */
export function deleteExpiredThreads(database: PrismaClient, most: number): Promise<number> {
  return deleteSomeThreads(
    database,
    Prisma.sql`
      SELECT expired.id FROM organization o CROSS JOIN LATERAL (
        SELECT t.id FROM thread t
        WHERE t.organization_id = o.id AND t.updated_at < now() - o.retention_days * interval '1 day'
          AND t.state NOT IN ('waiting', 'active')
        ORDER BY t.updated_at LIMIT ${most}::int FOR UPDATE SKIP LOCKED) expired
      WHERE o.retention_days IS NOT NULL LIMIT ${most}::int`,
  );
}
