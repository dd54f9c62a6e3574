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
import { Store } from '../ui/store.js';
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
const mostReported = 500;

const unopened: ThreadListState = {
  ...{ view: 'all', q: '', threads: [], matches: new Map() },
  ...{ status: 'loading', problem: null, hasMore: false },
};

export class ThreadListStore extends Store<ThreadListState> {
  #endCursor: string | null = null;
  /** Answers to earlier questions are not shown. */
  #question = 0;
  /** The threads that changed since the last question, as they are now; null for those that are not to be seen any more. */
  readonly #reported = new Map<string, Thread | null>();
  #isLoadingMore = false;
  #searchTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly viewerId: string) {
    super(unopened);
  }

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
    if (view === this.getState().view && q === this.getState().q) return;
    const stays = view === this.getState().view;
    this.set({ view, q, status: 'loading', ...(stays ? {} : { threads: [] }), ...(q ? {} : { matches: new Map() }) });
    void this.#load();
  }

  readonly reload = (): void => void this.#load();

  readonly loadMore = async (): Promise<void> => {
    if (this.#isLoadingMore || !this.getState().hasMore || this.getState().status !== 'ready') return;
    this.#isLoadingMore = true;
    const question = this.#question;
    const edges = await this.#ask(this.#endCursor);
    this.#isLoadingMore = false;
    if (question !== this.#question || !edges) return;
    const { threads, matches } = this.getState();
    const known = new Set(threads.map(({ id }) => id));
    const others = edges.map(({ node }) => node).filter(({ id }) => !known.has(id));
    this.#take({ threads: [...threads, ...others], matches: new Map([...matches, ...matchesOf(edges)]) });
  };

  /** Shows a thread as it is now: after a change of one's own, without waiting for the feed. */
  readonly put = (thread: Thread): void => this.#report(thread.id, thread);

  #report(id: string, thread: Thread | null): void {
    const [oldest] = this.#reported.keys();
    if (oldest && this.#reported.size === mostReported) this.#reported.delete(oldest);
    this.#reported.set(id, thread);
    this.#place(id, thread);
    if (this.getState().q) this.#searchAgain();
  }

  #place(id: string, thread: Thread | null): void {
    const { threads, view, q } = this.getState();
    const others = threads.filter((other) => other.id !== id);
    const isGone = !thread || !isInView(thread, view, this.viewerId) || this.#isBeyondLastPage(thread, others);
    if (isGone) this.set({ threads: others });
    else if (!q) this.set({ threads: [...others, thread].sort(byUpdate) });
    else this.set({ threads: threads.map((shown) => (shown.id === id ? thread : shown)) });
  }

  /** What belongs behind the last page that is loaded comes with its own page. */
  #isBeyondLastPage(thread: Thread, others: readonly Thread[]): boolean {
    const last = others.at(-1);
    return this.getState().hasMore && last !== undefined && byUpdate(thread, last) > 0;
  }

  #receive(change: ThreadsChange): void {
    if (change.__typename === 'ThreadUpserted') this.put(change.thread);
    else if (change.__typename === 'ThreadHidden') this.#report(change.threadId, null);
    else void this.#load();
  }

  /** Takes an answer, and what was reported since it was asked for, which may be newer. */
  #take(answer: Partial<ThreadListState>): void {
    this.set(answer);
    for (const [id, thread] of this.#reported) this.#place(id, thread);
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
    this.#take({ threads, matches: matchesOf(edges), status: 'ready', problem: null });
  }

  async #ask(after: string | null): Promise<ThreadEdge[] | null> {
    const { view, q } = this.getState();
    const question = this.#question;
    this.#reported.clear();
    const outcome = await ask(threadsQuery, { filter: filterOf(view, q), after, first: pageSize });
    if (question !== this.#question) return null;
    if (!outcome.ok) {
      this.set({ status: 'failed', problem: outcome.message });
      return null;
    }
    const { edges, pageInfo } = outcome.value.threads;
    this.#endCursor = pageInfo.endCursor;
    this.set({ hasMore: pageInfo.hasNextPage });
    return edges;
  }
}

function matchesOf(edges: readonly ThreadEdge[]): Map<string, ThreadMatch> {
  return new Map(edges.flatMap(({ node, match }) => (match ? [[node.id, match]] : [])));
}
