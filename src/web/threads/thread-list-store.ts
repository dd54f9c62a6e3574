/**
 * The list of threads of one view, live. What is loaded comes page by page; every change that the service reports is put in
 * its place, so the list never has to be loaded again. A search is asked again when something changes, since only the service
 * knows what matches.
 */
import { ask } from '../api/client.js';
import { follow } from '../api/live.js';
import {
  type ThreadEdge,
  type ThreadMatch,
  type ThreadsChange,
  threadsChangedSubscription,
  threadsQuery,
} from '../api/thread-documents.js';
import type { Thread } from '../api/types.js';
import { byUpdate, filterOf, isInView, type View } from './thread-filter.js';

export interface ThreadListState {
  view: View;
  q: string;
  threads: readonly Thread[];
  /** Where the search has found each, by the id of the thread. */
  matches: ReadonlyMap<string, ThreadMatch>;
  status: 'loading' | 'ready' | 'failed';
  problem: string | null;
  hasMore: boolean;
}

const pageSize = 50;
const searchAgainMs = 400;

export class ThreadListStore {
  #state: ThreadListState = {
    ...{ view: 'all', q: '', threads: [], matches: new Map() },
    ...{ status: 'loading', problem: null, hasMore: false },
  };
  readonly #listeners = new Set<() => void>();
  #endCursor: string | null = null;
  /** Answers to earlier questions are not shown. */
  #question = 0;
  #isLoadingMore = false;
  #searchTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly viewerId: string) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): ThreadListState => this.#state;

  /** Loads the list and follows it. Returns what ends that. */
  start(): () => void {
    void this.#load();
    const stop = follow({
      document: threadsChangedSubscription,
      variables: { after: null },
      cursorOf: ({ threadsChanged }) => threadsChanged.cursor,
      next: ({ threadsChanged }) => this.#receive(threadsChanged),
      // The database was restored: what is shown may never have been.
      refused: (code) => code === 'INVALID_CURSOR' && void this.#load(),
    });
    return () => {
      stop();
      clearTimeout(this.#searchTimer);
    };
  }

  show(view: View, q: string): void {
    if (view === this.#state.view && q === this.#state.q) return;
    const stays = view === this.#state.view;
    this.#set({ view, q, status: 'loading', ...(stays ? {} : { threads: [] }), ...(q ? {} : { matches: new Map() }) });
    void this.#load();
  }

  readonly reload = (): void => void this.#load();

  readonly loadMore = async (): Promise<void> => {
    if (this.#isLoadingMore || !this.#state.hasMore || this.#state.status !== 'ready') return;
    this.#isLoadingMore = true;
    const question = this.#question;
    const edges = await this.#ask(this.#endCursor);
    this.#isLoadingMore = false;
    if (question !== this.#question || !edges) return;
    const { threads, matches } = this.#state;
    const known = new Set(threads.map(({ id }) => id));
    const others = edges.map(({ node }) => node).filter(({ id }) => !known.has(id));
    this.#set({ threads: [...threads, ...others], matches: new Map([...matches, ...matchesOf(edges)]) });
  };

  /** Shows a thread as it is now: after a change of one's own, without waiting for the feed. */
  readonly put = (thread: Thread): void => {
    const { threads, view, q } = this.#state;
    const others = threads.filter(({ id }) => id !== thread.id);
    if (!isInView(thread, view, this.viewerId) || this.#isBeyondLastPage(thread, others))
      this.#set({ threads: others });
    else if (!q) this.#set({ threads: [...others, thread].sort(byUpdate) });
    else this.#set({ threads: threads.map((shown) => (shown.id === thread.id ? thread : shown)) });
    if (q) this.#searchAgain();
  };

  /** What belongs behind the last page that is loaded comes with its own page. */
  #isBeyondLastPage(thread: Thread, others: readonly Thread[]): boolean {
    const last = others.at(-1);
    return this.#state.hasMore && last !== undefined && byUpdate(thread, last) > 0;
  }

  #receive(change: ThreadsChange): void {
    if (change.__typename === 'ThreadUpserted') this.put(change.thread);
    else if (change.__typename === 'ThreadHidden') {
      this.#set({ threads: this.#state.threads.filter(({ id }) => id !== change.threadId) });
    } else void this.#load();
  }

  #searchAgain(): void {
    clearTimeout(this.#searchTimer);
    this.#searchTimer = setTimeout(() => void this.#load(), searchAgainMs);
  }

  async #load(): Promise<void> {
    this.#question += 1;
    const question = this.#question;
    const edges = await this.#ask(null);
    if (question !== this.#question || !edges) return;
    const threads = edges.map(({ node }) => node);
    this.#set({ threads, matches: matchesOf(edges), status: 'ready', problem: null });
  }

  async #ask(after: string | null): Promise<ThreadEdge[] | null> {
    const { view, q } = this.#state;
    const question = this.#question;
    const outcome = await ask(threadsQuery, { filter: filterOf(view, q), after, first: pageSize });
    if (question !== this.#question) return null;
    if (!outcome.ok) {
      this.#set({ status: 'failed', problem: outcome.message });
      return null;
    }
    const { edges, pageInfo } = outcome.value.threads;
    this.#endCursor = pageInfo.endCursor;
    this.#set({ hasMore: pageInfo.hasNextPage });
    return edges;
  }

  #set(change: Partial<ThreadListState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function matchesOf(edges: readonly ThreadEdge[]): Map<string, ThreadMatch> {
  return new Map(edges.flatMap(({ node, match }) => (match ? [[node.id, match]] : [])));
}
