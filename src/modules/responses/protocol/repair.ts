import type { PrismaClient } from '../../../../prisma/generated/client/client.js';

/** A thread whose state and live response contradicted each other, and what was made of the two. */
export interface Repair {
  threadId: string;
  messageId: string | null;
  before: string;
  after: string;
}

/**
 * Repairs the pairs that no transaction can leave behind while the triggers of the database are in place: those of a load
 * without them. Every message is answered where it still can be. Gives what it repaired, which is nothing as a rule.
 */
export function repairImpossiblePairs(database: PrismaClient): Promise<Repair[]> {
  return database.$queryRaw<Repair[]>`
    SELECT thread_id AS "threadId", message_id AS "messageId", before, after FROM repair_impossible_pairs()`;
}
