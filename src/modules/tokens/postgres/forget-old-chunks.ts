/**
 * Removes tokens in transit that nobody will read: their response ended, or their worker died, at least an hour ago.
 */
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';

/** Removes at most `most` chunks that are older than an hour. */
export function forgetOldChunks(database: PrismaClient, most: number): Promise<number> {
  return database.$executeRaw`
    DELETE FROM token_chunk WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM token_chunk WHERE created_at < now() - interval '1 hour'
      ORDER BY created_at LIMIT ${most}::int FOR UPDATE SKIP LOCKED))`;
}
