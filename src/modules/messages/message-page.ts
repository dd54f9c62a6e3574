/**
 * Which messages of a thread a page holds, by Relay's pagination algorithm: of those between two positions the first ones, or
 * going backwards the last ones. Either way they are shown oldest first, and a page is one range of an index.
 */
import { InvalidInputError } from '../../errors.js';
import { appliedLimit, clampedLimit, toConnection } from '../paging.js';
import { encodeMessageCursor, endOfThread, startOfThread } from './message-cursor.js';

export interface PageArguments {
  first?: number | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  includeInactive?: boolean | null | undefined;
}

/** The page lies between these sequence numbers, and holds neither of them. */
export interface Bounds {
  after: number;
  before: number;
}

/** True for a page at the end of what lies between its bounds: with `last`, and with `before` where no size is given. */
function isBackward({ first, last, before }: PageArguments): boolean {
  return last != null || (first == null && before != null);
}

/** How many messages the page holds at the most. Throws an `InvalidInputError` for two sizes, and for one below 1. */
export function pageLimit({ first, last }: PageArguments): number {
  if (first != null && last != null) {
    throw new InvalidInputError([{ field: 'last', message: 'must not be given together with first' }]);
  }
  return last == null ? appliedLimit(first) : appliedLimit(last, 'last');
}

/** What to ask the database for: one message more than the page holds, so that its end is known. */
export function pageQuery({ after, before }: Bounds, args: PageArguments) {
  const sequence: 'asc' | 'desc' = isBackward(args) ? 'desc' : 'asc';
  return {
    where: { ...(args.includeInactive ? {} : { active: true }), sequence: { gt: after, lt: before } },
    orderBy: { sequence },
    take: clampedLimit(args.last ?? args.first) + 1,
  };
}

/** The page of these items, in the order of `pageQuery`; `hasMore` says that it was cut off. */
export function toPage<Item extends { sequence: number }>(
  items: readonly Item[],
  { bounds, args, hasMore }: { bounds: Bounds; args: PageArguments; hasMore: boolean },
) {
  const shown = [...items];
  const backward = isBackward(args);
  return toConnection({
    edges: (backward ? shown.reverse() : shown).map((node) => ({ node, cursor: encodeMessageCursor(node.sequence) })),
    hasNextPage: backward ? bounds.before < endOfThread.sequence : hasMore,
    hasPreviousPage: backward ? hasMore : bounds.after > startOfThread.sequence,
  });
}
