/**
 * Pages of a list, the same for every connection: fetch one item more than asked for, keep what was asked for, and the one
 * too many says that there is a next page. Nothing is ever counted and nothing is skipped by an offset.
 */
import { InvalidInputError } from '../errors.js';

export const defaultLimit = 50;
export const maximumLimit = 200;

/** The limit that is applied: 50 where none is given, 200 at the most (specification, Limits). Below 1 is refused. */
export function appliedLimit(first: number | null | undefined): number {
  if (first == null) return defaultLimit;
  if (first < 1) throw new InvalidInputError([{ field: 'first', message: 'must be at least 1' }]);
  return Math.min(first, maximumLimit);
}

export interface PageOptions<Item> {
  /** Up to `limit + 1` items in the order of the list. */
  items: Item[];
  limit: number;
  cursorOf: (item: Item) => string;
  hasPreviousPage: boolean;
}

/** A connection in the form of the Relay specification. */
export function toConnection<Item>({ items, limit, cursorOf, hasPreviousPage }: PageOptions<Item>) {
  const edges = items.slice(0, limit).map((node) => ({ node, cursor: cursorOf(node) }));
  return {
    edges,
    pageInfo: {
      hasNextPage: items.length > limit,
      hasPreviousPage,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
