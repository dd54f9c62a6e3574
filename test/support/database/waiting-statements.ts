/** Transactions that are held against each other: one holds a lock until others are seen to wait for it. */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.js';

/** For a transaction that holds a lock until others wait for it; Prisma's own limits are for transactions that work. */
export const holding = { timeout: 60_000, maxWait: 10_000 };

/**
 * The condition on `pg_stat_activity` that a statement of this database waits for a lock; without the first repair of a
 * worker, which begins a second after the start, reads every thread, and so may meet the lock of a test.
 */
export const waitsForLock =
  "datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE '%repair_impossible_pairs%'";

/**
 * How many statements of this database wait for a lock, or how many of those that contain a text. Takes the client and never a transaction: a transaction keeps
 * the list of sessions that it read first, and would never see a statement whose session began later.
 */
export async function waitingStatements(database: PrismaClient, text = ''): Promise<number> {
  const [row] = await database.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity WHERE ${Prisma.raw(waitsForLock)} AND strpos(query, ${text}) > 0`;
  return row?.count ?? 0;
}
