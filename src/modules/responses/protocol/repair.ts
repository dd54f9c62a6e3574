import type { PrismaClient } from '../../../../prisma/generated/client/client.js';

/** A thread whose state and live response contradicted each other, and how they were repaired. */
export interface Repair {
  threadId: string;
  messageId: string | null;
  before: string;
  after: string;
}

/**
 * Repairs contradictory pairs, which only a load with the database's triggers disabled can leave behind. Every message that
 * can still be answered will be. Returns the repaired pairs, usually none.
 */
export function repairImpossiblePairs(database: PrismaClient): Promise<Repair[]> {
  return database.$queryRaw<Repair[]>`
    SELECT thread_id AS "threadId", message_id AS "messageId", before, after FROM repair_impossible_pairs()`;
}
