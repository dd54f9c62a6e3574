/** Transactions that are held against each other: one holds a lock until others are seen to wait for it. */
import { expect, vi } from 'vitest';
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
 * How many statements of this database wait for a lock, or how many of those that contain a text. Takes the client and
 * never a transaction: a transaction keeps the list of sessions that it read first, and would never see a statement
 * whose session began later.
 */
export async function waitingStatements(database: PrismaClient, text = ''): Promise<number> {
  const [row] = await database.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity WHERE ${Prisma.raw(waitsForLock)} AND strpos(query, ${text}) > 0`;
  return row?.count ?? 0;
}

/**
 * Begins one thing after the other while a transaction holds what `lock` locks, each when the statement of the one before it waits,
 * and gives what became of them after the transaction. `words` are in those statements alone, if others may wait too.
 */
export async function overlapped<Result>(
  database: PrismaClient,
  { lock, words }: { lock: (transaction: Prisma.TransactionClient) => Promise<unknown>; words?: string },
  ...acts: (() => Promise<Result>)[]
): Promise<Result[]> {
  const { begun } = await database.$transaction(async (transaction) => {
    await lock(transaction);
    const begun: Promise<Result>[] = [];
    for (const act of acts) {
      begun.push(act());
      const look = async () => expect(await waitingStatements(database, words)).toBe(begun.length);
      await vi.waitFor(look, { timeout: 30_000, interval: 20 });
    }
    return { begun };
  }, holding);
  return Promise.all(begun);
}
