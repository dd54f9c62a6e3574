import type { PrismaClient } from '../../../../prisma/generated/client/client.js';

/** Removes at most `most` sums of access tokens that are too old for any budget. */
export function forgetTokenUsage(database: PrismaClient, most: number): Promise<number> {
  return database.$executeRaw`
    DELETE FROM token_usage_day WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM token_usage_day WHERE day < (now() AT TIME ZONE 'UTC')::date - 62
      ORDER BY day LIMIT ${most}::int FOR UPDATE SKIP LOCKED))`;
}
