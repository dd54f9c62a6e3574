/**
 * Times come from the database's clock, in milliseconds, and within a thread they never go back, even where that clock does:
 * the order by time must agree with the order of the messages.
 */
import { Prisma } from '../../../prisma/generated/client/client.js';

/** The present moment, or `earlier` where the clock stands before it. */
export function monotonicNow(earlier: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`greatest(date_trunc('milliseconds', clock_timestamp()), ${earlier})`;
}
