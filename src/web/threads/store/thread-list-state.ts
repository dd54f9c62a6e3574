/** What is known of the list of threads, for those who show it. */
import type { ThreadEdge, ThreadMatch } from '../../api/thread-documents.js';
import type { Thread } from '../../api/types.js';
import type { View } from './thread-filter.js';

export interface ThreadListState {
  view: View;
  q: string;
  threads: readonly Thread[];
  /** Where the search has found each, by the id of the thread. */
  matches: ReadonlyMap<string, ThreadMatch>;
  status: 'loading' | 'ready' | 'failed';
  problem: string | null;
  hasMore: boolean;
  /** How often the list was loaded, or more of it. */
  loads: number;
}

export const unopened: ThreadListState = {
  ...{ view: 'all', q: '', threads: [], matches: new Map() },
  ...{ status: 'loading', problem: null, hasMore: false, loads: 0 },
};

/** Where a search has found threads, by their ids. */
export function matchesOf(edges: readonly ThreadEdge[]): Map<string, ThreadMatch> {
  return new Map(edges.flatMap(({ node, match }) => (match ? [[node.id, match]] : [])));
}
