/**
 * Timestamps come from the database's clock, in milliseconds. Within a thread they never go backwards, even if that
 * clock does, because the order by time must agree with the order of messages.
 */
import { Prisma } from '../../../prisma/generated/client/client.js';

/** The present time, or `earlier` if the clock is behind it. */
export function monotonicNow(earlier: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`greatest(date_trunc('milliseconds', clock_timestamp()), ${earlier})`;
}
