import { Prisma } from '../../prisma/generated/client/client.js';
import { defaultPageSize } from '../contract.js';

/**
 * The number of rows to read for a page of this size. The usual one is part of the text: for a limit that it does not know,
 * PostgreSQL makes a new plan each time.
 */
export function oneMoreThan(limit: number): Prisma.Sql {
  return limit === defaultPageSize ? Prisma.raw(String(limit + 1)) : Prisma.sql`${limit + 1}`;
}
