/**
 * Pagination of all connections: fetch one item more than requested; if it exists, there is a next page. Lists are
 * never counted, and pages never use an offset.
 */
import { defaultPageSize, maximumPageSize } from '../contract.js';
import { InvalidInputError } from '../errors.js';

/** The limit: 50 by default, clamped to 200 (specification, Limits) or another maximum. Throws for values below 1. */
export function appliedLimit(
  size: number | null | undefined,
  field: 'first' | 'last' = 'first',
  maximum = maximumPageSize,
): number {
  if (size != null && size < 1) throw new InvalidInputError([{ field, message: 'must be at least 1' }]);
  return Math.min(size ?? defaultPageSize, maximum);
}

/** The limit for prefetching, which happens before the field itself is resolved and must not throw. */
export function clampedLimit(size: number | null | undefined): number {
  return Math.min(Math.max(size ?? defaultPageSize, 1), maximumPageSize);
}

export interface Page<Node> {
  edges: { node: Node; cursor: string }[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** Default: the cursor of the last edge. */
  endCursor?: string | null;
}

/** A connection in the form of the Relay specification. */
export function toConnection<Node>({ edges, hasNextPage, hasPreviousPage, ...page }: Page<Node>) {
  const startCursor = edges[0]?.cursor ?? null;
  const endCursor = page.endCursor ?? edges.at(-1)?.cursor ?? null;
  return { edges, pageInfo: { hasNextPage, hasPreviousPage, startCursor, endCursor } };
}
