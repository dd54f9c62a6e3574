/** The state of the list of threads. */
import type { ThreadEdge, ThreadMatch } from '../../api/thread-documents.js';
import type { Thread } from '../../api/types.js';
import type { Part } from './thread-filter.js';

export interface ThreadListState extends Part {
  q: string;
  threads: readonly Thread[];
  /** The pinned threads of the view, all of them; they may be in `threads` too. None in a search. */
  pins: readonly Thread[];
  /** The search hits, by thread ID. */
  matches: ReadonlyMap<string, ThreadMatch>;
  /** The thread whose end somebody is looking at: what is new in it is being read, whatever the service knows of that yet. */
  watched: string | null;
  /** The IDs of the unread threads, as far as threads were loaded or reported, in whatever view. */
  unread: ReadonlySet<string>;
  status: 'loading' | 'ready' | 'failed';
  problem: string | null;
  hasMore: boolean;
  /** The number of pages loaded so far. */
  loads: number;
  /** How many of the latest pages in a row had no thread. A search may end a page early, and then has more. */
  emptyPages: number;
}

export const unopened: Omit<ThreadListState, keyof Part> = {
  ...{ q: '', threads: [], pins: [], matches: new Map(), watched: null, unread: new Set() },
  ...{ status: 'loading', problem: null, hasMore: false, loads: 0, emptyPages: 0 },
};

/** The unread threads after some were loaded or reported. The same set if nothing changed. */
export function withUnread(unread: ReadonlySet<string>, threads: readonly Thread[]): ReadonlySet<string> {
  const isUnread = (thread: Thread) => thread.isUnread && !thread.archived;
  if (threads.every((thread) => isUnread(thread) === unread.has(thread.id))) return unread;
  const others = [...unread].filter((id) => !threads.some((thread) => thread.id === id));
  return new Set([...others, ...threads.filter(isUnread).map(({ id }) => id)]);
}

/** The search hits of a page, by thread ID. */
export function matchesOf(edges: readonly ThreadEdge[]): Map<string, ThreadMatch> {
  return new Map(edges.flatMap(({ node, match }) => (match ? [[node.id, match]] : [])));
}
