/** The state of the list of threads. */
import type { ThreadEdge, ThreadMatch } from '../../api/thread-documents.js';
import type { Thread } from '../../api/types.js';
import type { View } from './thread-filter.js';

export interface ThreadListState {
  view: View;
  q: string;
  threads: readonly Thread[];
  /** The search hits, by thread ID. */
  matches: ReadonlyMap<string, ThreadMatch>;
  status: 'loading' | 'ready' | 'failed';
  problem: string | null;
  hasMore: boolean;
  /** The number of pages loaded so far. */
  loads: number;
}

export const unopened: ThreadListState = {
  ...{ view: 'all', q: '', threads: [], matches: new Map() },
  ...{ status: 'loading', problem: null, hasMore: false, loads: 0 },
};

/** The search hits of a page, by thread ID. */
export function matchesOf(edges: readonly ThreadEdge[]): Map<string, ThreadMatch> {
  return new Map(edges.flatMap(({ node, match }) => (match ? [[node.id, match]] : [])));
}
