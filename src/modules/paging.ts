/**
 * Pages of a list, the same for every connection: fetch one item more than asked for, keep what was asked for, and the one
 * too many says that there is a next page. Nothing is ever counted and nothing is skipped by an offset.
 */
import { InvalidInputError } from '../errors.js';

export const defaultLimit = 50;
export const maximumLimit = 200;

/** The limit that is applied: 50 where none is given, 200 at the most (specification, Limits). Below 1 is refused. */
export function appliedLimit(size: number | null | undefined, field: 'first' | 'last' = 'first'): number {
  if (size != null && size < 1) throw new InvalidInputError([{ field, message: 'must be at least 1' }]);
  return clampedLimit(size);
}

/** The same where nothing can be refused: for what is loaded before the field that was asked for it is resolved. */
export function clampedLimit(size: number | null | undefined): number {
  return Math.min(Math.max(size ?? defaultLimit, 1), maximumLimit);
}

export interface Page<Node> {
  edges: { node: Node; cursor: string }[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** A connection in the form of the Relay specification. */
export function toConnection<Node>({ edges, hasNextPage, hasPreviousPage }: Page<Node>) {
  const startCursor = edges[0]?.cursor ?? null;
  const endCursor = edges.at(-1)?.cursor ?? null;
  return { edges, pageInfo: { hasNextPage, hasPreviousPage, startCursor, endCursor } };
}
