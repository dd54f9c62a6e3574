/**
 * Selects the messages of a page by Relay's pagination algorithm: the first ones between two positions or, backwards,
 * the last ones. They are returned oldest first, and a page is one range of an index.
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

/** The sequence numbers that bound the page, both exclusive. */
export interface Bounds {
  after: number;
  before: number;
}

/** Whether the page is at the end of its range: with `last`, or with `before` and no size. */
function isBackward({ first, last, before }: PageArguments): boolean {
  return last != null || (first == null && before != null);
}

/** The maximum number of messages of the page. Throws an `InvalidInputError` for two sizes or a size below 1. */
export function pageLimit({ first, last }: PageArguments): number {
  if (first != null && last != null) {
    throw new InvalidInputError([{ field: 'last', message: 'must not be given together with first' }]);
  }
  return last == null ? appliedLimit(first) : appliedLimit(last, 'last');
}

/** The query of the page. It selects one message more, which tells whether there are others. */
export function pageQuery({ after, before }: Bounds, args: PageArguments) {
  const sequence: 'asc' | 'desc' = isBackward(args) ? 'desc' : 'asc';
  return {
    where: {
      ...(args.includeInactive ? { hiddenWithId: null } : { active: true }),
      sequence: { gt: after, lt: before },
    },
    orderBy: { sequence },
    take: clampedLimit(args.last ?? args.first) + 1,
  };
}

/** The page of these items, in the order of `pageQuery`; `hasMore` is set if the query was limited. */
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
